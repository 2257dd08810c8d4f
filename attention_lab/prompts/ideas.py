"""Every misconception of the course, once: what a wrong option of a question stands for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Idea:
    """A belief that is not so, and that many have.

    Attributes
    ----------
    code : str
        How options call it. The codes of `exercises/bank` are others: those are mistakes in code.
    belief : str
        What is believed, in one sentence.
    lessons : tuple of str
        Where it is due: each of them asks about it at least once.
    """

    code: str
    belief: str
    lessons: tuple[str, ...]


_ALL = (
    # From scores to weights, and from weights to a blend.
    Idea("share-of-scores", "A weight is a score's share of the sum, so a score of 0 has a weight of 0.", ("00", "04")),
    Idea("shift-matters", "Adding the same number to every score changes the weights.", ("00", "07")),
    Idea("overflow", "Large scores overflow, and no weights are left.", ("00",)),
    Idea("copy-not-blend", "Attention picks one word and copies it.", ("01", "02", "06")),
    Idea("stacked", "The words are put side by side, or summed without their weights.", ("01",)),
    Idea("beyond-ingredients", "The right weights can make any blend, from any ingredients.", ("01",)),
    Idea("only-last-step", "A summary loses a part once, however many words follow.", ("01",)),
    Idea("loss-is-linear", "A summary loses the same amount with each word, until nothing is left.", ("01",)),
    # Who looks at whom, and what is handed over.
    Idea("looks-mutual", "If one word looks at another, the other looks back as much.", ("02", "08")),
    Idea("sign-flips", "Seen from the other word, a score changes its sign.", ("02",)),
    Idea(
        "direction-reversed", "The column is the word that looks, and the row is looked at.", ("02", "04", "06", "08")
    ),
    Idea("alike-attends", "Words look at words that mean the same; learned matrices play no part.", ("02",)),
    Idea("near-attends", "A word looks most at its neighbours.", ("02",)),
    Idea("self-means-self", "Self-attention means that a word looks at itself.", ("02",)),
    Idea("key-is-payload", "What is compared is what is handed over.", ("02", "06")),
    Idea("value-is-compared", "Values decide who is looked at.", ("02",)),
    # The scale.
    Idea("averages-out", "However many numbers a score adds up, its size stays: they cancel out.", ("03",)),
    Idea("grows-with-d", "A score grows as fast as the count of numbers that it adds up.", ("03",)),
    Idea("scale-is-cosmetic", "Dividing all scores changes nothing, since their order stays.", ("03",)),
    Idea("softer-is-better", "The more even the weights, the better.", ("03", "08")),
    # Hiding.
    Idea("low-loss-is-good", "The lower the loss, the better the model.", ("04", "09")),
    Idea("just-overfitting", "A loss that is too good comes from too little data.", ("04",)),
    Idea("hidden-word-is-gone", "A word that may not be looked at does not look, either, or is gone.", ("04", "06")),
    Idea("hidden-still-counts", "A hidden word still takes its share of the weight.", ("04",)),
    Idea("score-decides", "A weight follows from its score, also where nothing else may be seen.", ("04",)),
    Idea("one-masked-layer", "It is enough to hide the future in one layer.", ("04",)),
    Idea("position-leaks", "Only the last position can see too much.", ("04",)),
    Idea("mask-only-in-training", "When a model writes, there is no future, so nothing needs hiding.", ("07",)),
    # Many heads, and the order of words.
    Idea("heads-split-words", "Each head sees a part of the sentence.", ("05",)),
    Idea("heads-slice-x", "Each head sees its own columns of the embeddings.", ("05",)),
    Idea("heads-cost-more", "Eight heads cost eight times as much as one.", ("05",)),
    Idea("head-gets-a-share", "Eight heads have an eighth of the learned numbers of one.", ("05",)),
    Idea("one-head-one-job", "Each head has one job, and the job has a name.", ("08",)),
    Idea("reshape-moves-axes", "What has the right shape after a reshape has the right numbers in it.", ("05",)),
    Idea("order-known", "Attention knows where in the sentence a word stands.", ("05",)),
    Idea("all-changes", "If words swap places, every word's result changes.", ("05",)),
    # Two sequences.
    Idea("lengths-must-match", "Two sequences must have the same length to look at each other.", ("06",)),
    Idea("one-big-sequence", "Two sequences are joined into one before anybody looks.", ("06",)),
    Idea("asker-supplies", "The words that ask supply the values, too.", ("06",)),
    Idea("both-supply", "Both sequences supply values.", ("06",)),
    # The cost.
    Idea("double-is-double", "Twice the text costs twice as much.", ("07",)),
    Idea("cubic", "Twice the text costs eight times as much.", ("07",)),
    Idea("exact-needs-all", "Softmax must see a whole row at once.", ("07",)),
    Idea("flash-is-linear", "Streaming takes time that grows as the text does.", ("07",)),
    Idea("approximate", "Streaming gives results that are slightly off.", ("07",)),
    # What a map says.
    Idea("weight-is-meaning", "A high weight explains the result.", ("08", "09")),
    Idea("low-entropy-good", "A head with sharp weights matters most.", ("08",)),
    Idea("head-follows-meaning", "A head follows what the sentence means.", ("08",)),
)
IDEAS = {idea.code: idea for idea in _ALL}
