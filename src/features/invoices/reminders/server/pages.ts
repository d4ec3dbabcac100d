/**
 * Goes through a long list page by page, each asked for with the last one of the page before, and hands on so many ids at a time. Whoever is
 * passed over is behind by then, and stands before nobody.
 */
export const forEachChunk = async <Row extends { id: string }>(
  page: (after: Row | null) => Promise<Row[]>,
  chunkSize: number,
  work: (ids: readonly string[]) => Promise<void>,
): Promise<void> => {
  for (let rows = await page(null); rows.length > 0; rows = await page(rows.at(-1) ?? null))
    for (let at = 0; at < rows.length; at += chunkSize) await work(rows.slice(at, at + chunkSize).map(({ id }) => id))
}
