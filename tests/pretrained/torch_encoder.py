"""The forward pass of BERT once more, with PyTorch's own operations: what the encoder is compared with."""


def torch_reader(arrays, config, dtype="float64"):
    """A function from ids to weights and hidden, as numbers of PyTorch's: the arrays are those of a file.

    Weights are ``(n_layers, n_heads, n, n)``, hidden ``(n_layers + 1, n, d_model)``.
    """
    import torch
    from torch.nn import functional as F

    tensors = {name: torch.tensor(array.astype(dtype)) for name, array in arrays.items()}
    n_heads, d_model, epsilon = config["num_attention_heads"], config["hidden_size"], config["layer_norm_eps"]
    d_k = d_model // n_heads

    def linear(x, name):
        return F.linear(x, tensors[f"{name}.weight"], tensors[f"{name}.bias"])

    def norm(x, name):
        return F.layer_norm(x, (d_model,), tensors[f"{name}.weight"], tensors[f"{name}.bias"], epsilon)

    def split(x):
        return x.view(-1, n_heads, d_k).transpose(0, 1)

    def embed(ids):
        x = F.embedding(torch.tensor(ids), tensors["embeddings.word_embeddings.weight"])
        x = x + tensors["embeddings.position_embeddings.weight"][: len(ids)]
        return norm(x + tensors["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")

    def read(ids, scale=None):
        hidden, weights = [embed(ids)], []
        for i in range(config["num_hidden_layers"]):
            x, start = hidden[-1], f"encoder.layer.{i}."
            q, k, v = (split(linear(x, f"{start}attention.self.{name}")) for name in ("query", "key", "value"))
            scores = torch.matmul(q, k.transpose(1, 2)) * (d_k**-0.5 if scale is None else scale)
            weights.append(torch.softmax(scores, dim=-1))
            blended = torch.matmul(weights[-1], v).transpose(0, 1).reshape(-1, d_model)
            x = norm(linear(blended, f"{start}attention.output.dense") + x, f"{start}attention.output.LayerNorm")
            inner = F.gelu(linear(x, f"{start}intermediate.dense"))
            hidden.append(norm(linear(inner, f"{start}output.dense") + x, f"{start}output.LayerNorm"))
        return torch.stack(weights).numpy(), torch.stack(hidden).numpy()

    return read
