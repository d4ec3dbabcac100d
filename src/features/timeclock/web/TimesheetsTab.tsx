import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { addDays, formatDay, formatTime, isDay, startOfWeek } from '../../../shared/dates.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconChevronLeft, IconChevronRight } from '../../../ui/icons.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/Skeleton.tsx'
import { useToday, useUser } from '../../accounts/web/session.ts'
import { flagLabel } from '../rules.ts'
import { entriesQuery, type OfficeEntry } from './data.ts'
import { hoursText, type Sheet, sheetsOf } from './sheets.ts'
import './timesheets.css'

const EntryLine = ({ entry, timeZone }: { entry: OfficeEntry; timeZone: string }) => (
  <li>
    <span className="num">
      {formatTime(entry.startedAt, timeZone)} to {entry.endedAt ? formatTime(entry.endedAt, timeZone) : 'now'}
    </span>
    <span className="hint">
      {entry.kind === 'break' ? 'break' : (entry.crewName ?? 'no crew')}
      {entry.source === 'manual' ? ' · entered by hand' : ''}
    </span>
    {entry.flagged ? <Badge tone="wait">{flagLabel[entry.flagged] ?? entry.flagged}</Badge> : null}
  </li>
)

const PersonSheet = ({ sheet, days, timeZone }: { sheet: Sheet; days: readonly string[]; timeZone: string }) => (
  <details className="sheet">
    <summary>
      <span className="sheet__name">
        <b>{sheet.name}</b>
        {sheet.isOpen ? <Badge tone="now">At work</Badge> : null}
        {sheet.flags > 0 ? (
          <Badge tone="wait">{sheet.flags === 1 ? '1 to look at' : `${sheet.flags} to look at`}</Badge>
        ) : null}
      </span>
      {days.map((day) => (
        <span key={day} className={`sheet__day num${sheet.byDay.get(day) ? '' : ' is-empty'}`}>
          <span className="sheet__label">{formatDay(day).slice(0, 3)}</span>
          {hoursText(sheet.byDay.get(day)?.paidSeconds ?? 0)}
        </span>
      ))}
      <span className="sheet__sum num">{hoursText(sheet.paidSeconds)}</span>
    </summary>
    {days.map((day) => {
      const entries = sheet.byDay.get(day)?.entries
      return entries ? (
        <div key={day} className="sheet__entries">
          <b>{formatDay(day)}</b>
          <ul>
            {entries.map((entry) => (
              <EntryLine key={entry.id} entry={entry} timeZone={timeZone} />
            ))}
          </ul>
        </div>
      ) : null
    })}
  </details>
)

/** A week of everybody's clock: hours a day, what was forgotten, each spell when opened. */
export const TimesheetsTab = () => {
  const { business } = useUser()
  const [query, setQuery] = useSearchParams()
  const today = useToday()
  const asked = query.get('week')
  const from = startOfWeek(asked && isDay(asked) ? asked : today)
  const days = useMemo(() => Array.from({ length: 7 }, (_, i) => addDays(from, i)), [from])
  const entries = useQuery(entriesQuery(from, addDays(from, 6)))
  const sheets = useMemo(
    () => sheetsOf(entries.data ?? [], business.timeZone, Date.now()),
    [entries.data, business.timeZone],
  )
  const go = (week: string) =>
    setQuery((old) => {
      const next = new URLSearchParams(old)
      next.set('week', week)
      return next
    })
  const total = sheets.reduce((sum, sheet) => sum + sheet.paidSeconds, 0)
  return (
    <>
      <PageHeader
        title="Timesheets"
        sub={
          entries.data
            ? `${hoursText(total)} paid hours by ${sheets.length} ${sheets.length === 1 ? 'person' : 'people'}; breaks over 20 minutes are not paid`
            : 'Adding up the week'
        }
        actions={
          <span className="sheet-week">
            <IconButton label="The week before" icon={<IconChevronLeft />} onClick={() => go(addDays(from, -7))} />
            <Button kind="quiet" onClick={() => go(today)}>
              {formatDay(from)} to {formatDay(addDays(from, 6))}
            </Button>
            <IconButton
              label="The week after"
              icon={<IconChevronRight />}
              onClick={() => go(addDays(from, 7))}
              disabled={addDays(from, 7) > today}
            />
          </span>
        }
      />
      {entries.error && !entries.data ? (
        <ErrorState error={entries.error} title="We could not load the hours" onRetry={() => void entries.refetch()} />
      ) : null}
      <Card flush>
        {entries.isPending ? <TableSkeleton /> : null}
        {entries.data && sheets.length === 0 ? (
          <EmptyState title="Nobody clocked in this week" picture="unmowed">
            When crews clock in on their phones, their hours stand here by person and day.
          </EmptyState>
        ) : null}
        {sheets.map((sheet) => (
          <PersonSheet key={sheet.userId} sheet={sheet} days={days} timeZone={business.timeZone} />
        ))}
      </Card>
    </>
  )
}
