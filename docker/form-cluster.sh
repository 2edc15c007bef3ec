#!/bin/sh
# Makes one Valkey (or Redis) Cluster of the servers in NODES ("host:port host:port ...") with REPLICAS for each master,
# or, where it exists already, tells its nodes each other's addresses: containers may get new ones at each start.
# Ends when every node says that the cluster is well. CLI names the client to use (valkey-cli).
set -eu
cli=${CLI:-valkey-cli}

ask() { # ask host:port command...
  node=$1
  shift
  "$cli" -h "${node%:*}" -p "${node##*:}" "$@"
}

address() { # the numeric address of host:port, which is all that CLUSTER MEET takes
  ip=$(getent ahostsv4 "${1%:*}" 2>/dev/null | awk 'NR == 1 { print $1 }')
  [ -n "$ip" ] || ip=$(getent hosts "${1%:*}" | awk 'NR == 1 { print $1 }')
  echo "$ip:${1##*:}"
}

first=${NODES%% *}
if [ "$(ask "$first" cluster info | tr -d '\r' | sed -n 's/^cluster_slots_assigned://p')" = 0 ]; then
  # shellcheck disable=SC2046 # one argument for each node
  "$cli" --cluster create $(for node in $NODES; do address "$node"; done) --cluster-replicas "$REPLICAS" --cluster-yes
else
  for node in $NODES; do
    at=$(address "$node")
    ask "$first" cluster meet "${at%:*}" "${at##*:}" >/dev/null
  done
fi

for node in $NODES; do
  until ask "$node" cluster info | grep -q '^cluster_state:ok'; do
    echo "waiting for $node"
    sleep 1
  done
done
echo "The cluster is well."
