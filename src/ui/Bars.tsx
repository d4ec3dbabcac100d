import { type ReactNode, useId, useState } from 'react'
import './Bars.css'
import { LinkTo } from './LinkTo.tsx'

export type BarSeries = { key: string; label: string }
/** `href`: what its values are made of, opened from the table. */
export type BarGroup = { label: string; values: Record<string, number | null>; href?: string | undefined }
type Props = {
  title: string
  /** At most three: done, invoiced, paid. */
  series: readonly BarSeries[]
  groups: readonly BarGroup[]
  format?: (value: number) => string
  height?: number
  note?: ReactNode
}

/** @param whole a top that is a whole number, for what is counted */
const niceTop = (value: number, whole: boolean): number => {
  if (value <= 0) return 1
  const ten = 10 ** Math.floor(Math.log10(value))
  const steps = [1, 1.5, 2, 3, 4, 5, 7.5, 10].filter((step) => !whole || Number.isInteger(step * ten))
  return (steps.find((step) => step * ten >= value) ?? 10) * ten
}

/** Grouped bars, readable as a table. Each bar says its value on hover; series differ in lightness, not only in color. */
export const Bars = ({
  title,
  series,
  groups,
  format = (value) => value.toLocaleString('en-US'),
  height = 190,
  note,
}: Props) => {
  const id = useId()
  const [asTable, setAsTable] = useState(false)
  const values = groups.flatMap((group) => series.map(({ key }) => group.values[key] ?? 0))
  const counts = values.every(Number.isInteger)
  const top = niceTop(Math.max(...values, 0), counts)
  const inner = height - 26
  // Without any value the lines would name amounts that stand for nothing.
  const isEmpty = !groups.some((group) => series.some(({ key }) => (group.values[key] ?? 0) > 0))
  // nor is there half of what is counted
  const hasHalf = !counts || Number.isInteger(top / 2)
  const shares = isEmpty ? [] : !hasHalf || format(top) === format(top / 2) ? [1] : [1, 0.5]
  // The numbers of the lines stand beside the bars, never behind them.
  const axisPx = Math.max(0, ...shares.map((share) => format(top * share).length)) * 7 + 10
  return (
    <figure className="ui-bars" aria-labelledby={id}>
      <figcaption>
        <span id={id} className="ui-hidden">
          {title}
        </span>
        <span className="ui-bars__keys">
          {series.map(({ key, label }, index) => (
            <span key={key}>
              <i className={`is-${index + 1}`} />
              {label}
            </span>
          ))}
        </span>
        <button type="button" className="ui-bars__toggle" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'As bars' : 'As a table'}
        </button>
      </figcaption>
      {asTable ? (
        <div className="ui-bars__scroll">
          <table>
            <thead>
              <tr>
                <td />
                {series.map(({ key, label }) => (
                  <th key={key} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {groups.map((group) => (
                <tr key={group.label}>
                  <th scope="row">{group.href ? <LinkTo href={group.href}>{group.label}</LinkTo> : group.label}</th>
                  {series.map(({ key }) => (
                    <td key={key} className="num">
                      {group.values[key] == null ? '–' : format(group.values[key])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div
          className="ui-bars__chart"
          style={{ height, paddingRight: axisPx }}
          role="img"
          aria-label={`${title}, as bars. Switch to the table to read the numbers.`}
        >
          {[...shares, 0].map((share) => (
            <span key={share} className="ui-bars__line" style={{ top: 8 + (1 - share) * (inner - 8) }}>
              <span className="num">{share === 0 ? '' : format(top * share)}</span>
            </span>
          ))}
          {groups.map((group) => (
            <div key={group.label} className="ui-bars__group">
              <div className="ui-bars__set" style={{ height: inner - 8 }}>
                {series.map(({ key, label }, index) => {
                  const value = group.values[key] ?? 0
                  return (
                    <i
                      key={key}
                      className={`is-${index + 1}`}
                      style={{ height: `${Math.max(0, Math.min(1, value / top)) * 100}%` }}
                      title={`${group.label}, ${label}: ${format(value)}`}
                    />
                  )
                })}
              </div>
              <span className="ui-bars__label">{group.label}</span>
            </div>
          ))}
        </div>
      )}
      {note ? <p className="hint">{note}</p> : null}
    </figure>
  )
}
