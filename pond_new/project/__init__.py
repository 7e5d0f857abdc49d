"""From a contract and settings to a repository on disk: plan, render, compare, write."""
