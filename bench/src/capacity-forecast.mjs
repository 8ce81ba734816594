/** From what was measured, what so many live sessions need. A core is never planned for more than 60 %. */
const fullest = 0.6;

export function forecast(sessions, { rates, cost }) {
  const requests = sessions * rates.requestsPerSessionSecond;
  const gatewayCores = (requests * cost.gatewayMs) / 1_000 / fullest;
  const redisCores = (requests * cost.redisMs) / 1_000 / fullest;
  const memory = sessions * cost.redisBytesForSession;
  const needs = {
    requestsPerSecond: requests,
    gatewayCores,
    redisCores,
    redisNodes: Math.max(1, Math.ceil(redisCores)),
    redisMemory: memory,
    redisCommandsPerSecond: requests * cost.redisCommands,
    redisBytesPerSecond: requests * (cost.redisBytesIn + cost.redisBytesOut),
    clientBytesPerSecond: requests * (rates.requestBytes + rates.answerBytes),
  };
  return { sessions, ...needs, words: words(sessions, needs) };
}

function words(sessions, needs) {
  const n = (value, digits = 0) => Number(value.toFixed(digits)).toLocaleString('en-GB');
  return [
    `${n(sessions)} live sessions:`,
    `  ${n(needs.requestsPerSecond)} requests/s, ${n(needs.clientBytesPerSecond / 1e6, 1)} MB/s in from agents and as much out to providers`,
    `  ${n(needs.gatewayCores, 1)} cores of gateways`,
    `  Redis: ${n(needs.redisCores, 2)} cores on ${needs.redisNodes} node(s), ${n(needs.redisMemory / 1e9, 2)} GB, ${n(needs.redisCommandsPerSecond)} commands/s, ${n(needs.redisBytesPerSecond / 1e6, 1)} MB/s`,
  ];
}
