"""Tasks for small models. Adding one is one function; the tests pick it up."""

from attention_lab.training.tasks.grammar import agreement
from attention_lab.training.tasks.languages import markov_text, random_tokens
from attention_lab.training.tasks.memory import associative_recall, recall_at
from attention_lab.training.tasks.pictures import pictures
from attention_lab.training.tasks.places import word_before
from attention_lab.training.tasks.questions import four_relations
from attention_lab.training.tasks.relations import two_relations
from attention_lab.training.tasks.senses import bank_senses, sentence_topics
from attention_lab.training.tasks.task import Task
from attention_lab.training.tasks.text import text
from attention_lab.training.tasks.translation import translation

TASKS = {
    "markov_text": markov_text,
    "random_tokens": random_tokens,
    "associative_recall": associative_recall,
    "recall_at": recall_at,
    "word_before": word_before,
    "agreement": agreement,
    "two_relations": two_relations,
    "four_relations": four_relations,
    "bank_senses": bank_senses,
    "sentence_topics": sentence_topics,
    "text": text,
}

__all__ = ["TASKS", "Task", "pictures", "translation", *TASKS]
