"""The `tokenizers` package with a vocabulary of ours: what the word pieces are compared with."""


def reference_splitter(pieces, lower=True):
    """A function from a text to its word pieces, as `tokenizers` cuts them."""
    from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

    ids = {piece: i for i, piece in enumerate(pieces)}
    splitter = Tokenizer(models.WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=100))
    splitter.normalizer = normalizers.BertNormalizer(lowercase=lower)
    splitter.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    splitter.post_processor = processors.BertProcessing(("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"]))
    special = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    splitter.add_special_tokens([AddedToken(piece, special=True, normalized=False) for piece in special])
    return lambda text: splitter.encode(text).tokens
