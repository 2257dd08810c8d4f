"""Questions that are answered in words, and the rubric that they are graded by."""

from attention_lab.prompts.item import Written

_ROWS = (
    ("", "0", "1", "2", "3"),
    ("---",) * 5,
    (
        "**claim**",
        "missing",
        'vague ("it focuses")',
        "right, about this case",
        "right, and says when it would be false",
    ),
    (
        "**mechanism**",
        "none, or a metaphor only",
        "names a step",
        "the steps in order, in the right direction",
        "says which step causes the effect, and why",
    ),
    (
        "**evidence**",
        "none",
        "a number without a source",
        "a number from a named cell",
        "a number *and* something to compare it with",
    ),
    ("**limit**", "none", '"may vary"', "one real limit", "a test that could refute the claim"),
)
RUBRIC = "\n".join(f"| {' | '.join(row)} |" for row in _ROWS)

# For graders, with the model answer: learners see the rubric alone.
HOW_TO_GRADE = "Sum of the four lines, out of 12, times the points. To pass: 2 on claim and on mechanism."

# By lesson, as the questions that close it.
ASSIGNED: dict[str, tuple[Written, ...]] = {
    "02": (
        Written(
            name="who-looks-at-whom",
            text=(
                'Somebody says: "In *The bank by the river*, river is the important word, so every word looks at it." '
                "Answer in a paragraph. How do you read off a map of weights who looks at whom? Which steps made the "
                "weights? Give a number from lesson 02, and an edit of the numbers that would prove you wrong."
            ),
            model=(
                'A row looks, a column is looked at: the row of "bank" gives river 98.2%. Its query was compared with '
                "every key, the scores were scaled, and weighed along the row. So a weight belongs to a pair of words, "
                "not to the word looked at. With other matrices, in the second example of lesson 02, *The* gives river "
                "only 7.4%. I would be wrong if the word river drew bank whatever its numbers are. But with [-4, 1] in "
                "place of [2, 1], bank gives it 0.0%, and *The* 80.4%."
            ),
        ),
    ),
    "04": (
        Written(
            name="which-model",
            text=(
                "A colleague shows two training curves on the same text, one ending at 2.1 and one at 0.05, and wants "
                "to ship the second. Answer in a paragraph. What do you suspect, and what causes it? Which two tests "
                "tell without reading the code, and with which results would you ship it after all?"
            ),
            model=(
                "I suspect that the second model sees the token that it is asked for: its scores of later words are "
                "not set to minus infinity before the softmax, in some layer or head, so the answer is copied. Two "
                "tests. First, the honest loss: on beginnings with nothing behind them the model of lesson 04 was "
                "worse than a blind guess, the masked one better. On random tokens no honest loss lies below the "
                "logarithm of how many there are. Second, a leak test: nudge one word, and see whether an earlier "
                "output moves. If none moves, and the honest loss is as low as the training loss, I was wrong, and "
                "the text is that easy."
            ),
        ),
    ),
    "08": (
        Written(
            name="one-head",
            text=(
                "Choose a head of the encoder in lesson 08, other than the two that it takes apart (layer 1 head 5, "
                "layer 4 head 2). Answer in a paragraph. What does it do, and in which sentences? Which steps of "
                "attention make it do so? Give a number, and one to compare it with. Then try to refute yourself: a "
                "sentence made to break your claim, and what it gave."
            ),
            model=(
                "Layer 2 head 9: a word looks at the piece right behind it, in all sentences that I read. In *The bank "
                "by the river was steep.* it gives that piece 64% on average, and up to 93%; a head that looks evenly "
                "gives each piece 10%. A place is added to each word, so a query can match the key of the next place: "
                "compare makes the difference, scale and weigh turn it into shares of the row. If it were grammar, "
                "random words would break it. They do not: in the lists of the appendix on ablation it still gives the "
                "next word 55%, and no head of five shuffled models more than 6%. It is no law: *river* gives *was* "
                "only 22%, and [CLS] 57%. Whether anything needs this head, I do not know: I have not cut it."
            ),
        ),
    ),
}
