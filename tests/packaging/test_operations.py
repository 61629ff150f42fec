"""Files for operators name what is there: metrics, values, options and settings."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from lamella_adapters.mcp.http.operation.metrics import Metrics
from tests.packaging.test_manifests import MANIFESTS, VERSION, read

FOLDER = MANIFESTS / "operations"
CHART = FOLDER / "helm"


def test_rules_and_the_dashboard_name_the_metrics_of_servers() -> None:
    figures = dict.fromkeys(("connections", "waiting", "waits", "wait_ms"), 0.0)
    metrics = Metrics(lambda: figures, lambda: 0).text().decode()
    known = {name for name in re.findall(r"^# TYPE (\S+)", metrics, re.MULTILINE) if not name.endswith("_created")}
    (group,) = yaml.safe_load((FOLDER / "alerts.yaml").read_text("utf-8"))["groups"]
    panels = read("packaging/operations/grafana.json")["panels"]
    queries = [*group["rules"], *(target for panel in panels for target in panel["targets"])]
    named = set(re.findall(r"lamella_\w+", " ".join(each["expr"] for each in queries)))
    assert {each.removesuffix("_bucket") for each in named} == known
    assert all(each["labels"].keys() == {"severity"} for each in group["rules"])


def test_the_chart_uses_each_of_its_values_and_selects_its_own() -> None:
    chart, values = (yaml.safe_load((CHART / name).read_text("utf-8")) for name in ("Chart.yaml", "values.yaml"))
    assert (chart["version"], chart["appVersion"]) == (VERSION, VERSION)
    template = (CHART / "templates" / "server.yaml").read_text("utf-8")
    assert set(re.findall(r"\.Values\.(\w+)", template)) == values.keys()
    deployment, service, budget = (each["spec"] for each in yaml.safe_load_all(re.sub(r"{{.*?}}", "x", template)))
    pod = deployment["template"]
    selected = (each["selector"] for each in (deployment, service, budget))
    assert [each.get("matchLabels", each) for each in selected] == [pod["metadata"]["labels"]] * 3
    mounts, volumes = pod["spec"]["containers"][0]["volumeMounts"], pod["spec"]["volumes"]
    assert [each["name"] for each in mounts] == [each["name"] for each in volumes]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    installed = tmp_path / "lamella.service"
    unit = (FOLDER / "lamella.service").read_text("utf-8")
    installed.write_text(unit.replace("/usr/local/bin/lamella", sys.executable))
    command = ["systemd-analyze", "verify", "--man=no", str(installed)]
    verified = subprocess.run(command, capture_output=True, text=True, check=True)
    assert str(installed) not in verified.stderr
