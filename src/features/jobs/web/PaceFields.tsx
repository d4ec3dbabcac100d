import { useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { FieldGrid } from '#src/ui/FieldGrid.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { IconPlus, IconTrash } from '#src/ui/icons.ts'
import { NumberField } from '#src/ui/NumberField.tsx'
import type { PacePeriod, Recurrence } from '../rules.ts'
import { MonthDay } from './SeasonField.tsx'

type Props = { rule: Recurrence; onChange: (rule: Recurrence) => void }

const whole = (n: number | null): number | undefined => (n === null ? undefined : Math.max(0, Math.round(n)))

/** A rule without what is empty. */
const put = (rule: Recurrence, changes: { [K in keyof Recurrence]?: Recurrence[K] | undefined }): Recurrence =>
  Object.fromEntries(Object.entries({ ...rule, ...changes }).filter(([, v]) => v !== undefined)) as Recurrence

/** Where in the year a next period can begin: the start of spring, then of fall. */
const nextPeriod = (periods: readonly PacePeriod[], interval: number): PacePeriod =>
  periods.some((p) => p.from <= '03-31' && p.to >= '03-01')
    ? { from: '10-01', to: '11-30', interval: interval * 2 }
    : { from: '03-01', to: '03-31', interval: interval * 2 }

/** Slower or faster parts of the year, and how far a visit may be from its day and from the others. */
export const PaceFields = ({ rule, onChange }: Props) => {
  const periods = rule.periods ?? []
  const setPeriods = (next: PacePeriod[]) => onChange(put(rule, { periods: next.length > 0 ? next : undefined }))
  const setPeriod = (at: number, changes: Partial<PacePeriod>) =>
    setPeriods(periods.map((one, index) => (index === at ? { ...one, ...changes } : one)))
  const { before, after } = rule.tolerance ?? {}
  const setTolerance = (changes: { before?: number | undefined; after?: number | undefined }) => {
    const next = { before, after, ...changes }
    const empty = next.before === undefined && next.after === undefined
    onChange(put(rule, { tolerance: empty ? undefined : { before: next.before ?? 0, after: next.after ?? 0 } }))
  }
  // A part that stands open while it is typed in does not close under the hand.
  const [opened] = useState(() => ({
    paces: periods.length > 0,
    limits: rule.tolerance !== undefined || rule.minGapDays !== undefined || rule.maxGapDays !== undefined,
  }))
  return (
    <>
      <details className="job-line__more" open={opened.paces}>
        <summary>Another pace in part of the year</summary>
        <div className="job-line__extra">
          {periods.map((period, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a period has nothing but its place; two may look alike while they are typed
            <fieldset key={at} className="sched__period">
              <legend className="ui-hidden">Period {at + 1}</legend>
              <NumberField
                label="Every"
                unit={rule.freq === 'day' ? 'days' : rule.freq === 'week' ? 'weeks' : 'months'}
                min={1}
                max={365}
                value={period.interval}
                onChange={(n) => setPeriod(at, { interval: Math.max(1, Math.round(n ?? 1)) })}
              />
              <div className="sched__span">
                <MonthDay
                  label={`Period ${at + 1} from`}
                  value={period.from}
                  onChange={(from) => setPeriod(at, { from })}
                />
                <span className="muted">to</span>
                <MonthDay label={`Period ${at + 1} to`} value={period.to} onChange={(to) => setPeriod(at, { to })} />
              </div>
              <IconButton
                label={`Remove period ${at + 1}`}
                icon={<IconTrash />}
                onClick={() => setPeriods(periods.filter((_, index) => index !== at))}
              />
            </fieldset>
          ))}
          {periods.length < 8 ? (
            <div>
              <Button
                size="s"
                kind="quiet"
                icon={<IconPlus />}
                onClick={() => setPeriods([...periods, nextPeriod(periods, rule.interval)])}
              >
                Add a period
              </Button>
            </div>
          ) : null}
        </div>
      </details>
      <details className="job-line__more" open={opened.limits}>
        <summary>How far a visit may slip</summary>
        <div className="job-line__extra">
          <FieldGrid min={140}>
            <NumberField
              label="Early by"
              optional
              unit="days"
              value={before ?? null}
              onChange={(n) => setTolerance({ before: whole(n) })}
            />
            <NumberField
              label="Late by"
              optional
              unit="days"
              value={after ?? null}
              onChange={(n) => setTolerance({ after: whole(n) })}
            />
            <NumberField
              label="Shortest gap"
              optional
              unit="days"
              value={rule.minGapDays ?? null}
              onChange={(n) => onChange(put(rule, { minGapDays: whole(n) || undefined }))}
            />
            <NumberField
              label="Longest gap"
              optional
              unit="days"
              value={rule.maxGapDays ?? null}
              onChange={(n) => onChange(put(rule, { maxGapDays: whole(n) || undefined }))}
            />
          </FieldGrid>
        </div>
      </details>
    </>
  )
}
