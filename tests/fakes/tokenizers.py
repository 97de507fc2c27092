"""Small real tokenizers, made for a test: a table of tiktoken and a tokenizer.json, with a few words of their own."""

import base64
import hashlib
from pathlib import Path

import tokenizers

from callgate.store.files.tokenizer_files import O200K, Encoding

WORDS = ("the", " the", "weather", " weather", "location", " location", "string", " string", "type", "type ")


def table(words: tuple[str, ...] = WORDS) -> bytes:
    """Every byte, then all beginnings of the words: each is a merge of the one before it and a letter."""
    tokens = [bytes((byte,)) for byte in range(256)]
    for word in words:
        raw = word.encode()
        tokens += [raw[:end] for end in range(2, len(raw) + 1) if raw[:end] not in tokens]
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))


def cached_table(folder: Path, encoding: Encoding = O200K, content: bytes | None = None) -> Encoding:
    """A table where `tiktoken` would keep that of the encoding; the encoding with this table's hash."""
    written = table() if content is None else content
    folder.mkdir(parents=True, exist_ok=True)
    (folder / encoding.cache_key).write_bytes(written)
    return Encoding(encoding.name, encoding.pattern, hashlib.sha256(written).hexdigest())


def tokenizer_json(path: Path) -> Path:
    """A tokenizer that knows each word, and each sign, as one token."""
    trained = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="?"))
    trained.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=400, special_tokens=["?", "<s>"], initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet()
    )
    trained.train_from_iterator(["the weather at this location", '{"type": "function"}'] * 20, trainer)
    trained.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", trained.token_to_id("<s>"))]
    )
    trained.save(str(path))
    return path
