import { type KeyboardEvent, useState } from 'react'
import { formatMinute } from '#src/shared/dates.ts'
import { DayAxis } from './DayAxis.tsx'
import './DayStrip.css'
import {
  type DaySpan,
  describeStrip,
  describeStripe,
  englishStrip,
  layoutStrip,
  type Stripe,
  type StripStop,
  type StripWords,
} from './stripLayout.ts'

export type DayStripProps = {
  stops: readonly StripStop[]
  /** Whose day: "North crew". The counts are added. */
  ariaLabel: string
  shift?: DaySpan | undefined
  /** What the full width stands for when several lanes share one axis: `commonSpan(lanes)`. */
  span?: DaySpan | undefined
  driveHomeMinutes?: number | undefined
  /** Draws the marking flag at this minute of the day. */
  nowMinute?: number | undefined
  height?: number
  selectedId?: string | null | undefined
  onSelect?: ((id: string) => void) | undefined
  /** Hours above. */
  axis?: boolean
  /** Stops fill the whole width, whatever the shift. For headers and thumbnails. */
  fitContent?: boolean
  /** One picture with one text: thumbnails, static pages. No tooltips, no focus. */
  still?: boolean
  /** On the pine header of the crew app. */
  onPine?: boolean
  /** Adds "Read as a list" under the strip. */
  list?: boolean
  /** Clock times in the texts; off when the stops have no real times, as on a saved route. */
  times?: boolean
  /** In the language of who looks at it. */
  words?: StripWords
}

const side = (stripe: Stripe) => {
  const middle = stripe.leftPercent + stripe.drivePercent + stripe.workPercent / 2
  return middle < 22 ? 'is-left' : middle > 78 ? 'is-right' : ''
}

const Tip = ({ stripe, times, words }: { stripe: Stripe; times: boolean; words: StripWords }) => (
  <span className={`ui-strip__tip ${side(stripe)}`} aria-hidden="true">
    <b>
      {stripe.number}. {stripe.stop.label}
    </b>
    <span className="num">
      {times ? `${formatMinute(stripe.startMinute)} – ${formatMinute(stripe.endMinute)} · ` : ''}
      {Math.round(stripe.stop.minutes)} min
      {stripe.driveMinutes >= 1 ? ` · ${Math.round(stripe.driveMinutes)} min drive` : ''}
    </span>
    <span>
      <i className={`ui-strip__dot is-${stripe.stop.state}`} />
      {words.states[stripe.stop.state]}
      {stripe.stop.detail ? ` · ${stripe.stop.detail}` : ''}
    </span>
  </span>
)

/**
 * One crew's day as one mowed swath: a stripe per stop as wide as its minutes, gaps as wide as the drive. Dark is mowed, hatched is
 * being worked, pale is to do, crossed rust is skipped, barred is paused. Needs no DOM, so static pages can print it.
 */
export const DayStrip = (props: DayStripProps) => {
  const {
    stops,
    ariaLabel,
    nowMinute,
    height = 34,
    selectedId,
    onSelect,
    axis,
    still,
    onPine,
    list,
    times = true,
    words = englishStrip,
  } = props
  const layout = layoutStrip(stops, props)
  const { span, stripes } = layout
  const started = stripes.findIndex(({ stop }) => stop.state === 'now' || stop.state === 'paused')
  const [focused, setFocused] = useState<number | null>(null)
  const [hushed, setHushed] = useState(false)
  const stop = Math.min(focused ?? Math.max(0, started), Math.max(0, stripes.length - 1))
  const label = `${ariaLabel}, ${describeStrip(stops, words)}`
  const nowPercent =
    nowMinute === undefined
      ? -1
      : ((nowMinute - span.startMinute) / Math.max(1, span.endMinute - span.startMinute)) * 100

  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const last = stripes.length - 1
    const to = { ArrowRight: Math.min(last, stop + 1), ArrowLeft: Math.max(0, stop - 1), Home: 0, End: last }[event.key]
    if (event.key === 'Escape') setHushed(true)
    if (to === undefined) return
    event.preventDefault()
    setHushed(false)
    setFocused(to)
    event.currentTarget.closest('ol')?.querySelectorAll('button')[to]?.focus()
  }

  return (
    <div className={`ui-day${onPine ? ' ui-day--pine' : ''}`}>
      {axis ? <DayAxis span={span} /> : null}
      <div
        className={`ui-strip${hushed ? ' is-hushed' : ''}`}
        style={{ height }}
        {...(still ? { role: 'img', 'aria-label': label } : {})}
      >
        <ol
          className="ui-strip__track"
          aria-label={still ? undefined : label}
          aria-hidden={still || undefined}
          onMouseLeave={hushed ? () => setHushed(false) : undefined}
        >
          {stripes.map((stripe, index) => {
            const look = `ui-strip__stripe is-${stripe.stop.state}${index % 2 ? ' is-back' : ''}${stripe.over ? ' is-over' : ''}${stripe.stop.id === selectedId ? ' is-selected' : ''}`
            const whole = stripe.drivePercent + stripe.workPercent
            return (
              <li key={stripe.stop.id} style={{ left: `${stripe.leftPercent}%`, width: `${whole}%` }}>
                <i
                  className="ui-strip__drive"
                  style={{ width: `${whole === 0 ? 0 : (stripe.drivePercent / whole) * 100}%` }}
                />
                {still ? (
                  <span className={look} />
                ) : (
                  <button
                    type="button"
                    className={look}
                    tabIndex={index === stop ? 0 : -1}
                    aria-label={describeStripe(stripe, times, words)}
                    aria-current={stripe.stop.id === selectedId ? 'true' : undefined}
                    onClick={() => onSelect?.(stripe.stop.id)}
                    onFocus={() => setFocused(index)}
                    onKeyDown={onKeyDown}
                  />
                )}
                {still ? null : <Tip stripe={stripe} times={times} words={words} />}
              </li>
            )
          })}
        </ol>
        {layout.homePercent ? (
          <i
            className="ui-strip__drive ui-strip__home"
            style={{ left: `${layout.homePercent.left}%`, width: `${layout.homePercent.width}%` }}
          />
        ) : null}
        {layout.shiftEndPercent === null ? null : (
          <i className="ui-strip__shift-end" style={{ left: `${layout.shiftEndPercent}%` }} title="End of the shift" />
        )}
        {nowPercent >= 0 && nowPercent <= 100 ? (
          <i className="ui-strip__now" style={{ left: `${nowPercent}%` }} />
        ) : null}
      </div>
      {list ? (
        <details className="ui-strip__list">
          <summary>Read as a list</summary>
          <ol>
            {stripes.map((stripe) => (
              <li key={stripe.stop.id}>{describeStripe(stripe, times, words).replace(/^\d+\. /, '')}</li>
            ))}
          </ol>
        </details>
      ) : null}
    </div>
  )
}
