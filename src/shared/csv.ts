const plainNumber = /^-?\d+(\.\d+)?$/

/** One cell as a spreadsheet takes it: what it could run as a formula becomes text by a leading apostrophe; numbers stay numbers. */
export const csvCell = (value: string | number | null | undefined): string => {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return /[",\n\r;]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows as CSV (RFC 4180: CRLF, quotes doubled) with a byte order mark, by which spreadsheets read it as UTF-8. */
export const csvText = (rows: readonly (readonly (string | number | null | undefined)[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`

/** Takes back what `csvCell` put before a formula-like text, so that an exported file can be imported again. */
export const unescapeCell = (text: string): string => (/^'[=+\-@]/.test(text) ? text.slice(1) : text)
