import writeWorkbook from 'write-excel-file/node'
import { inThread } from '../../../platform/threads.ts'
import { csvText } from '../../../shared/csv.ts'
import { formatDay } from '../../../shared/dates.ts'
import type { Report } from '../contract.ts'
import {
  type Cell,
  type CellType,
  cellNumber,
  cellPlain,
  cellText,
  fileHead,
  type ReportFormat,
  spanText,
} from '../rules.ts'
import type { tablePdf } from './pdf.ts'

/** A report as a file. In a spreadsheet numbers stand as numbers, and no text is ever run as a formula. */

export const mimeOf: Record<ReportFormat, string> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
}

/** The sums below the rows: the first column says what they are where it has none. */
const totalOf = ({ columns, total }: Report): Cell[] | null =>
  total && columns.map((_, at) => (at === 0 && total[0] === null ? 'Together' : (total[at] ?? null)))

const plainOf = ({ columns }: Report, cells: readonly Cell[]): Cell[] =>
  cells.map((cell, at) => cellPlain(columns[at]?.type ?? 'text', cell))

const csv = (report: Report): Buffer => {
  const total = totalOf(report)
  return Buffer.from(
    csvText([
      report.columns.map(fileHead),
      ...report.rows.map(({ cells }) => plainOf(report, cells)),
      ...(total ? [plainOf(report, total)] : []),
    ]),
  )
}

const excelFormat: Partial<Record<CellType, string>> = {
  cents: '#,##0.00',
  hours: '#,##0.00',
  minutes: '#,##0',
  count: '#,##0',
  percent: '0.0##',
  tenths: '#,##0.0',
}

/** A text of a cell of a workbook can hold no more; it is told by an ellipsis. */
const longestText = 32_000

/** What a workbook's file cannot hold as a sign. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

const workbook = async (report: Report, name: string, business: string): Promise<Buffer> => {
  const { columns, rows, notes } = report
  const cell = (value: Cell, type: CellType, bold: boolean) => {
    const shown = cellNumber(type, value)
    if (shown === null || shown === '') return null
    const weight = bold ? { fontWeight: 'bold' as const } : {}
    if (typeof shown === 'number') {
      const format = excelFormat[type]
      return { type: Number, value: shown, ...(format ? { format } : {}), ...weight }
    }
    if (type === 'day') return { type: Date, value: new Date(`${shown}T00:00:00Z`), format: 'yyyy-mm-dd', ...weight }
    const plain = shown.replace(unwritable, ' ')
    return {
      type: String,
      value: plain.length > longestText ? `${plain.slice(0, longestText)}…` : plain,
      ...weight,
    }
  }
  const line = (cells: readonly Cell[], bold = false) =>
    columns.map(({ type }, at) => cell(cells[at] ?? null, bold && typeof cells[at] === 'string' ? 'text' : type, bold))
  const total = totalOf(report)
  const longest = columns.map(({ type, label }, at) =>
    Math.min(
      48,
      Math.max(label.length, ...rows.slice(0, 200).map(({ cells }) => cellText(type, cells[at] ?? null).length)) + 2,
    ),
  )
  const text = (value: string) => [{ type: String, value: value.replace(unwritable, ' ') }]
  return writeWorkbook(
    [
      [{ type: String, value: `${name}, ${business}`, fontWeight: 'bold' as const, fontSize: 14 }],
      text(spanText(report.kind, report)),
      [],
      columns.map((column) => ({ type: String, value: fileHead(column), fontWeight: 'bold' as const })),
      ...rows.map(({ cells }) => line(cells)),
      ...(total ? [line(total, true)] : []),
      ...(notes.length > 0 ? [[], ...notes.map(text)] : []),
    ],
    {
      columns: longest.map((width) => ({ width })),
      sheet: report.title.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31),
      stickyRowsCount: 4,
    },
  ).toBuffer()
}

const paper = (report: Report, name: string, business: string, today: string): Promise<Uint8Array> =>
  inThread<typeof tablePdf>(new URL('./pdf.ts', import.meta.url), 'tablePdf', {
    title: name,
    business,
    sub: `${name === report.title ? '' : `${report.title} · `}${spanText(report.kind, report)} · Generated ${formatDay(today, { year: true })}`,
    columns: report.columns.map(({ label, type }) => ({ label, isNumber: type !== 'text' && type !== 'day' })),
    rows: report.rows.map(({ cells }) => cells.map((cell, at) => cellText(report.columns[at]?.type ?? 'text', cell))),
    total:
      totalOf(report)?.map((cell, at) =>
        cell === null ? '' : typeof cell === 'string' ? cell : cellText(report.columns[at]?.type ?? 'text', cell),
      ) ?? null,
    notes: report.notes,
  })

/** @param name what somebody saved it under, else its own */
export const reportFile = async (
  report: Report,
  format: ReportFormat,
  { name, business, today }: { name: string; business: string; today: string },
): Promise<Uint8Array> =>
  format === 'csv'
    ? csv(report)
    : format === 'xlsx'
      ? workbook(report, name, business)
      : paper(report, name, business, today)

/** The file's name: "sales-by-service-2026-11-01-2026-11-30.xlsx". */
export const fileName = (name: string, { from, to }: Report, format: ReportFormat): string => {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return `${plain || 'report'}-${from === to ? to : `${from}-${to}`}.${format}`
}
