import { LinkTo } from '../../../ui/LinkTo.tsx'
import { useNarrow } from '../../../ui/useNarrow.ts'
import { VisitLink } from '../../visits/web/VisitLink.tsx'
import type { Report } from '../contract.ts'
import { cellText, phoneOrder } from '../rules.ts'

type Row = Report['rows'][number]
type Props = { report: Report; onNarrow: (values: Record<string, string>) => void }

/** What a row is called, leading to what it is made of. */
const Lead = ({ row, text, onNarrow }: { row: Row; text: string } & Pick<Props, 'onNarrow'>) => {
  const { href, visitId, narrow } = row
  if (visitId) return <VisitLink id={visitId}>{text}</VisitLink>
  if (href) return <LinkTo href={href}>{text}</LinkTo>
  if (narrow)
    return (
      <button type="button" className="rp-lead" onClick={() => onNarrow(narrow)}>
        {text}
      </button>
    )
  return text
}

const isNumber = (type: string): boolean => type !== 'text' && type !== 'day'

export const ReportTable = ({ report, onNarrow }: Props) => {
  const { rows, total } = report
  const order = useNarrow() ? phoneOrder(report.columns) : report.columns.map((_, at) => at)
  const columns = order.flatMap((at) => {
    const column = report.columns[at]
    return column ? [{ ...column, at }] : []
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by the keys
    <section className="rp-scroll" aria-label={`${report.title}, table`} tabIndex={0}>
      <table className="rp-table">
        <thead>
          <tr>
            {columns.map(({ id, label, type }) => (
              <th key={id} scope="col" className={isNumber(type) ? 'is-number' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              {columns.map(({ id, type, at }) => {
                const text = cellText(type, row.cells[at] ?? null)
                const look = isNumber(type) ? 'num is-number' : undefined
                return at === 0 ? (
                  <th key={id} scope="row" className={look}>
                    <Lead row={row} text={text} onNarrow={onNarrow} />
                  </th>
                ) : (
                  <td key={id} className={look}>
                    {text}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
        {total ? (
          <tfoot>
            <tr>
              {columns.map(({ id, type, at }) => {
                const cell = total[at] ?? null
                const text = cell === null ? '' : cellText(type, cell)
                return at === 0 ? (
                  <th key={id} scope="row" className={text && isNumber(type) ? 'num is-number' : undefined}>
                    {text || 'Together'}
                  </th>
                ) : (
                  <td key={id} className={isNumber(type) ? 'num is-number' : undefined}>
                    {text}
                  </td>
                )
              })}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </section>
  )
}
