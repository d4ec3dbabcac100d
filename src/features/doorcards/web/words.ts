/** How far it is, as people on a street say it. */
export const feetLabel = (meters: number): string =>
  `${Math.max(10, Math.round((meters * 3.281) / 10) * 10).toLocaleString('en-US')} ft`
