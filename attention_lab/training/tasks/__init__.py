"""Tasks for small models. Adding one is one function; the tests pick it up."""

from attention_lab.training.tasks.grammar import agreement
from attention_lab.training.tasks.languages import markov_text, random_tokens
from attention_lab.training.tasks.memory import associative_recall
from attention_lab.training.tasks.senses import bank_senses, sentence_topics
from attention_lab.training.tasks.task import Task
from attention_lab.training.tasks.text import text

TASKS = {
    "markov_text": markov_text,
    "random_tokens": random_tokens,
    "associative_recall": associative_recall,
    "agreement": agreement,
    "bank_senses": bank_senses,
    "sentence_topics": sentence_topics,
    "text": text,
}

__all__ = ["TASKS", "Task", *TASKS]
