"""`if __name__ == "__main__"`: what a file does only as the script of a run, and only when it is imported."""

import pytest
from linked import link_sources

_MAIN = 'if __name__ == "__main__":'


@pytest.mark.parametrize(
    "source",
    [
        f"{_MAIN}\n    main()",
        f"{_MAIN} main()",
        "if a and __name__ == '__main__':\n    for x in y:\n        main()",
        '__name__ == "__main__" and main()',
        'if __name__ != "__main__":\n    pass\nelse:\n    main()',
        f"{_MAIN}\n    @main\n    def g(): pass",
        f"class C:\n    {_MAIN} main()",
    ],
)
def test_an_import_does_not_run_what_stands_under_it(source: str) -> None:
    graph = link_sources(f"def main(*args): pass\n{source}")
    assert graph.callees("<module>") == set()
    script = link_sources({"__main__": f"def main(*args): pass\n{source}"})
    assert "__main__.main" in script.callees("__main__.<module>")


@pytest.mark.parametrize(
    "source",
    ['if __name__ != "__main__":\n    f()', f"{_MAIN}\n    pass\nelse:\n    f()", 'if __name__ == "m":\n    f()'],
)
def test_an_import_runs_what_stands_under_the_opposite(source: str) -> None:
    assert link_sources(f"def f(): pass\n{source}").callees("<module>") == {"f"}


def test_a_script_does_not_run_what_only_an_import_does() -> None:
    script = link_sources({"__main__": 'def f(): pass\nif __name__ != "__main__":\n    f()'})
    assert script.callees("__main__.<module>") == set()


def test_a_function_called_elsewhere_does_not_run_it_either() -> None:
    graph = link_sources(f"def g(): pass\ndef f():\n    {_MAIN}\n        g()")
    assert graph.callees("f") == set()


def test_nothing_is_imported_written_or_passed_there() -> None:
    graph = link_sources(
        {
            "m": f"""
            import state
            def call(function): function()
            def f(): pass
            {_MAIN}
                import other
                state.flag = 1
                call(f)
                hook = f
            def g(): hook()
            """,
            "state": "flag = 0",
            "other": "",
        }
    )
    assert graph.writers("state.flag") == set()
    assert graph.callees("call") == graph.callees("g") == set()
    assert graph.callees("<module>") == {"state.<module>"}


def test_a_function_that_is_defined_there_can_be_asked_about() -> None:
    graph = link_sources(f"""
        def f(): pass
        {_MAIN}
            from other import thing
            def main(): f(); helper()
            def helper(): pass
            main()
    """)
    assert graph.callees("main") == {"f", "helper"}
    assert "main" not in graph.callees("<module>")
