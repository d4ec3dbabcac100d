import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { addDays, dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { RecordPanel } from '../../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { mealsApi } from '../../meals/contract.ts'
import { offPayLabel } from '../../timeoff/rules.ts'
import { type SheetDetail, type SheetEntry, sheetsApi } from '../contract.ts'
import { exceptionLabel, hoursText, moreHoursText } from '../rules.ts'
import { type Decision, sheetQuery, useSheets } from './data.ts'
import { changeText, heldLines, kindLabel, mismatchText, segmentsText, stateBadge, whenText } from './labels.ts'
import { type Spell, SpellDialog } from './SpellDialog.tsx'
import { WhyDialog } from './WhyDialog.tsx'

const questions = {
  sendBack: { title: 'Send the week back', label: 'Send it back', done: 'Sent back' },
  reopen: { title: 'Open the week again', label: 'Open it again', done: 'Open again' },
  answer: { title: 'Answer without a change', label: 'Send the answer', done: 'Answered' },
  leaveOut: { title: 'Leave the late time out', label: 'Leave it out', done: 'Left out' },
} as const satisfies Record<Decision, object>

const EntryRow = ({ entry, timeZone, children }: { entry: SheetEntry; timeZone: string; children: ReactNode }) => (
  <li>
    <span className="num">
      {formatTime(entry.startedAt, timeZone)} to {entry.endedAt ? formatTime(entry.endedAt, timeZone) : 'now'}
    </span>
    <span className="hint">
      {[
        entry.kind === 'work' ? (entry.crewName ?? 'Work') : kindLabel[entry.kind],
        entry.source === 'manual' ? 'by hand' : '',
        entry.note,
      ]
        .filter(Boolean)
        .join(' · ')}
    </span>
    {children}
  </li>
)

/** The hour that the law gives for a meal that was not had in time: paid once the office says so. */
const MealPremium = ({
  sheet,
  day,
  isOwed,
}: {
  sheet: SheetDetail
  day: SheetDetail['days'][number]
  isOwed: boolean
}) => {
  const { mealPremium } = useSheets()
  if (!day.mealPremium && !(sheet.mealPremium && isOwed)) return null
  const say = (owed: boolean) =>
    mealPremium
      .mutateAsync({ id: sheet.userId, day: day.day, owed })
      .then(() => toast.success(owed ? 'One hour is paid for it' : 'The hour is taken off'), toast.error)
  return (
    <p className="sheet-meal">
      {day.mealPremium ? (
        <Badge tone="done">Meal premium, 1.00 h</Badge>
      ) : (
        <span>The law gives one hour of pay for it.</span>
      )}
      {sheet.can.correct ? (
        <Button
          size="s"
          calls={mealsApi.premium}
          loading={mealPremium.isPending}
          onClick={() => void say(!day.mealPremium)}
        >
          {day.mealPremium ? 'Take it off' : 'Pay the hour'}
        </Button>
      ) : null}
    </p>
  )
}

const DayPart = ({
  sheet,
  at,
  timeZone,
  onSpell,
}: {
  sheet: SheetDetail
  at: number
  timeZone: string
  onSpell: (spell: Spell) => void
}) => {
  const day = sheet.days[at]
  if (!day) return null
  const entries = sheet.entries.filter((entry) => dayOf(entry.startedAt, timeZone) === day.day)
  const problems = [...new Set(sheet.exceptions.filter((one) => one.day === day.day).map((one) => one.kind))]
  const segments = sheet.segments[at]
  const more = moreHoursText(day)
  return (
    <section className="sheet-day" aria-label={formatDay(day.day, { long: true })}>
      <header>
        <h3>{formatDay(day.day)}</h3>
        {day.off ? <Badge tone="neutral">{day.off}</Badge> : null}
        {day.paidOff.map((one) => (
          <Badge key={one.kind} tone="done">
            {offPayLabel(one.kind)}, {hoursText(one.seconds)} paid
          </Badge>
        ))}
        {problems.map((kind) => (
          <Badge key={kind} tone="late">
            {exceptionLabel[kind]}
          </Badge>
        ))}
        <span className="num">
          {hoursText(day.paidSeconds)}
          {more ? <span className="hint"> · {more}</span> : null}
        </span>
      </header>
      <MealPremium sheet={sheet} day={day} isOwed={problems.some((kind) => kind.startsWith('meal_'))} />
      {entries.length > 0 ? (
        <ul>
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} timeZone={timeZone}>
              {sheet.can.correct ? (
                <Button
                  size="s"
                  kind="quiet"
                  aria-label={`Correct ${formatTime(entry.startedAt, timeZone)} on ${formatDay(day.day)}`}
                  onClick={() => onSpell({ entry, day: day.day })}
                >
                  Correct
                </Button>
              ) : null}
            </EntryRow>
          ))}
        </ul>
      ) : null}
      {segments && entries.length > 0 ? <p className="hint num">{segmentsText(segments)}</p> : null}
      {sheet.mismatches
        .filter((one) => one.day === day.day)
        .map((one) => (
          <p key={`${one.visitId} ${one.what}`} className="sheet-mismatch num">
            {mismatchText(one, timeZone)}
          </p>
        ))}
    </section>
  )
}

const Trail = ({ sheet, timeZone }: { sheet: SheetDetail; timeZone: string }) =>
  sheet.changes.length === 0 ? null : (
    <section className="sheet-trail" aria-label="What was done">
      <h3>What was done</h3>
      <ol>
        {sheet.changes.map((change) => {
          const { what, how } = changeText(change, timeZone)
          return (
            <li key={change.id}>
              <b>{what}</b>
              <span className="hint num">{whenText(change.at, timeZone, dayOf(change.at, timeZone))}</span>
              {how ? <span className="num">{how}</span> : null}
              {change.reason ? <span>“{change.reason}”</span> : null}
            </li>
          )
        })}
      </ol>
    </section>
  )

/** What a phone sent while the week was locked: in no sum, until somebody decides. */
const HeldTime = ({
  sheet,
  timeZone,
  onLeaveOut,
}: {
  sheet: SheetDetail
  timeZone: string
  onLeaveOut: () => void
}) => {
  const { count } = useSheets()
  const { userId, week, version, can, name } = sheet
  if (sheet.held.length === 0) return null
  const countIt = () =>
    count
      .mutateAsync({ id: userId, week, version })
      .then(
        ({ held }) =>
          toast.success(
            held.length === 0
              ? `Counted. Look at the week and approve it, ${name} is told`
              : `Counted, but for what belongs to no time on the sheet. That goes on waiting, ${name} is told`,
          ),
        toast.error,
      )
  return (
    <Banner
      tone="warn"
      title="Time came in after payroll was run"
      action={
        <>
          {can.count ? (
            <Button size="s" calls={sheetsApi.count} loading={count.isPending} onClick={() => void countIt()}>
              Count it
            </Button>
          ) : null}
          {can.leaveOut ? (
            <Button size="s" calls={sheetsApi.leaveOut} onClick={onLeaveOut}>
              Leave it out
            </Button>
          ) : null}
        </>
      }
    >
      {heldLines(sheet.held, timeZone).map((line) => (
        <p key={line} className="num">
          {line}
        </p>
      ))}
      {sheet.locked ? (
        <p>It is in no sum. To count it, an owner unlocks the week first.</p>
      ) : (
        <p>It is in no sum yet.</p>
      )}
    </Banner>
  )
}

const Body = ({ sheet, timeZone }: { sheet: SheetDetail; timeZone: string }) => {
  const { approve, decide } = useSheets()
  const [asking, setAsking] = useState<Decision | null>(null)
  const [spell, setSpell] = useState<Spell | null>(null)
  const { can, week, version, userId } = sheet
  const say = async (reason: string) => {
    if (!asking) return
    await decide.mutateAsync({ id: userId, verb: asking, week, version, reason })
    toast.success(`${questions[asking].done}, and ${sheet.name} is told`)
  }
  const approveIt = () =>
    approve
      .mutateAsync({ week, items: [{ userId, version }] })
      .then(() => toast.success(`The week of ${sheet.name} is approved`), toast.error)
  return (
    <div className="sheet-panel">
      {sheet.locked ? <Banner tone="info">Payroll has been run for this week. Nothing in it changes.</Banner> : null}
      <HeldTime sheet={sheet} timeZone={timeZone} onLeaveOut={() => setAsking('leaveOut')} />
      {sheet.request ? (
        <Banner
          tone="warn"
          title={`${sheet.name} asks`}
          action={
            can.answer ? (
              <Button size="s" calls={sheetsApi.answer} onClick={() => setAsking('answer')}>
                Answer
              </Button>
            ) : null
          }
        >
          {sheet.request}
        </Banner>
      ) : null}
      {sheet.reason ? <p className="muted">{sheet.reason}</p> : null}
      <div className="sheet-actions">
        {can.approve ? (
          <Button kind="primary" calls={sheetsApi.approve} loading={approve.isPending} onClick={() => void approveIt()}>
            Approve
          </Button>
        ) : null}
        {can.sendBack ? (
          <Button calls={sheetsApi.sendBack} onClick={() => setAsking('sendBack')}>
            Send back
          </Button>
        ) : null}
        {can.reopen ? (
          <Button calls={sheetsApi.reopen} onClick={() => setAsking('reopen')}>
            Open again
          </Button>
        ) : null}
        {can.correct ? (
          <Button calls={sheetsApi.correct} onClick={() => setSpell({ entry: null, day: week })}>
            Add time
          </Button>
        ) : null}
      </div>
      {sheet.days.map((day, at) => (
        <DayPart key={day.day} sheet={sheet} at={at} timeZone={timeZone} onSpell={setSpell} />
      ))}
      <Trail sheet={sheet} timeZone={timeZone} />
      <SpellDialog sheet={sheet} spell={spell} timeZone={timeZone} onClose={() => setSpell(null)} />
      <WhyDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking ? questions[asking].title : ''}
        label={asking ? questions[asking].label : ''}
        hint={`${sheet.name} reads it on the phone.`}
        onSay={say}
      />
    </div>
  )
}

type Props = {
  userId: string
  week: string
  timeZone: string
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** A person's week: every spell, what it went into, what is wrong, who changed what. */
export const SheetPanel = ({ userId, week, timeZone, ...rest }: Props) => {
  const found = useQuery(sheetQuery(userId, week))
  const sheet = found.data
  const badge = sheet ? stateBadge(sheet) : null
  return (
    <RecordPanel
      open
      title={sheet?.name ?? 'Timesheet'}
      sub={`${formatDay(week)} to ${formatDay(addDays(week, 6))}${sheet ? `, ${hoursText(sheet.paidSeconds)} hours${sheet.offSeconds > 0 ? ` and ${hoursText(sheet.offSeconds)} paid time off` : ''}` : ''}`}
      badge={badge ? <Badge tone={badge.tone}>{badge.label}</Badge> : null}
      {...rest}
    >
      {found.error && !sheet ? (
        <ErrorState error={found.error} title="We could not load this week" onRetry={() => void found.refetch()} />
      ) : sheet ? (
        <Body sheet={sheet} timeZone={timeZone} />
      ) : (
        <PanelSkeleton />
      )}
    </RecordPanel>
  )
}
