"""A suite as its users write one: the provider's address, and what vcrpy shall filter."""

import os

import pytest


@pytest.fixture(scope="session")
def vcr_config():
    return {"filter_headers": ["authorization", "x-api-key"], "decode_compressed_response": True}


@pytest.fixture
def provider():
    return os.environ["PROVIDER_URL"]
