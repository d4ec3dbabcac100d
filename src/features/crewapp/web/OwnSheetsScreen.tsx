import { useEffect, useState } from 'react'
import { addDays, dayOf, startOfWeek } from '../../../shared/dates.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { FieldInput } from '../../../ui/field/FieldInput.tsx'
import { FieldScreen } from '../../../ui/field/FieldScreen.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { SheetDetail } from '../../timeclock/sheets/contract.ts'
import type { CrewCommand } from '../rules.ts'
import { CrewHeader } from './CrewHeader.tsx'
import { type Crew, useCrew } from './data.ts'
import { shortDay, spanOf, timeOf } from './labels.ts'
import { NotLoaded } from './NotLoaded.tsx'
import { useOwnSheets } from './ownSheets.ts'
import { type SheetTexts, sheetTexts } from './sheetTexts.ts'
import type { CrewScreenProps } from './TodayScreen.tsx'
import { noteWeeksSeen, seenWeeksAt, type WeekNewsKind, weekNews } from './weekNews.ts'
import './crewapp.css'
import './sheets.css'

/** A week that an older version kept on this phone has none. */
const paidOff = (day: SheetDetail['days'][number]) => day.paidOff ?? []

const Days = ({ crew, sheet, words }: { crew: Crew; sheet: SheetDetail; words: SheetTexts }) => {
  const { t, timeZone } = crew
  const shown = sheet.days.filter(
    (day) => day.paidSeconds > 0 || day.breakSeconds > 0 || day.off || paidOff(day).length > 0,
  )
  if (shown.length === 0) return <p className="muted">{words.nothing}</p>
  return (
    <ul className="c-items">
      {shown.map((day) => {
        const entries = sheet.entries.filter((entry) => dayOf(entry.startedAt, timeZone) === day.day)
        const wrong = [...new Set(sheet.exceptions.filter((one) => one.day === day.day).map((one) => one.kind))]
        return (
          <li key={day.day}>
            <b>{shortDay(day.day, t)}</b>
            <b className="num">{day.paidSeconds > 0 ? spanOf(day.paidSeconds) : words.off}</b>
            {entries.map((entry) => (
              <span key={entry.id} className="muted c-sheet__line num">
                {words.kinds[entry.kind]} {timeOf(entry.startedAt, timeZone)} –{' '}
                {entry.endedAt ? timeOf(entry.endedAt, timeZone) : t.now}
              </span>
            ))}
            {day.off && day.paidSeconds === 0 ? (
              <span className="muted c-sheet__line">{words.own[day.off] ?? day.off}</span>
            ) : null}
            {paidOff(day).map((one) => (
              <span key={one.kind} className="c-sheet__line num">
                {words.paidOff[one.kind]} {spanOf(one.seconds)}
              </span>
            ))}
            {wrong.length > 0 ? (
              <span className="c-why">{wrong.map((kind) => words.exceptions[kind]).join(', ')}</span>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}

const History = ({ crew, sheet, words }: { crew: Crew; sheet: SheetDetail; words: SheetTexts }) => {
  const { t, timeZone } = crew
  const span = (one: SheetDetail['changes'][number]['before']) =>
    one ? `${timeOf(one.startedAt, timeZone)} – ${one.endedAt ? timeOf(one.endedAt, timeZone) : t.now}` : ''
  if (sheet.changes.length === 0) return null
  return (
    <details className="c-past c-sheet__past">
      <summary>{words.history}</summary>
      <ul className="c-items">
        {sheet.changes.map((change) => (
          <li key={change.id}>
            <b>
              {change.by} {words.did[change.action]}
            </b>
            <span className="c-ago">{shortDay(dayOf(change.at, timeZone), t)}</span>
            {change.before || change.after ? (
              <span className="c-sheet__line num">
                {[span(change.before), span(change.after)].filter(Boolean).join(' → ')}
              </span>
            ) : null}
            {change.reason ? (
              <span className="c-sheet__line">“{words.own[change.reason] ?? change.reason}”</span>
            ) : null}
          </li>
        ))}
      </ul>
    </details>
  )
}

type WeekProps = {
  crew: Crew
  sheet: SheetDetail
  words: SheetTexts
  waiting: readonly CrewCommand[]
  /** What others did to it since it was looked at. */
  news: WeekNewsKind | undefined
  onAsk: () => void
}

const Week = ({ crew, sheet, words, waiting, news, onAsk }: WeekProps) => {
  const { t } = crew
  const waits = waiting.filter((one) => startOfWeek(one.payload.week ?? sheet.week) === sheet.week && one.payload.week)
  const handed = waits.some((one) => one.type === 'submit_week')
  const asks = waits.filter((one) => one.type === 'ask_week').map((one) => one.payload.note ?? '')
  const more = sheet.overtimeSeconds + sheet.doubleSeconds
  const isOpen = (sheet.status === 'open' || sheet.status === 'returned') && !handed && !sheet.locked
  // What the phone itself knows of the clock is newer than the sheet.
  const running = sheet.week === startOfWeek(crew.today) ? crew.clock?.state !== 'off' : sheet.isRunning
  const request = [sheet.request, ...asks].filter(Boolean).join('\n')
  const handIn = () =>
    crew.act('submit_week', undefined, { week: sheet.week }).then(
      () => toast.success(words.handedIn),
      () => toast.error(t.notSaved),
    )
  return (
    <FieldCard>
      <div className="c-stack">
        <div>
          <h2>{words.weekOf(shortDay(sheet.week, t), shortDay(addDays(sheet.week, 6), t))}</h2>
          {news ? (
            <Alert tone="wait">
              {words.isNew}:{' '}
              {words.news[news](words.weekOf(shortDay(sheet.week, t), shortDay(addDays(sheet.week, 6), t)))}
            </Alert>
          ) : null}
          <p className={`c-sheet__state is-${handed ? 'submitted' : sheet.status}`}>
            {handed ? words.onPhone : sheet.locked ? words.locked : words.states[sheet.status]}
          </p>
          {sheet.reason && !handed ? <p className="c-sheet__why">“{words.own[sheet.reason] ?? sheet.reason}”</p> : null}
        </div>
        <dl className="c-sheet__sums">
          <div>
            <dt>{words.hours}</dt>
            <dd className="num">{spanOf(sheet.paidSeconds)}</dd>
          </div>
          <div>
            <dt>{words.overtime}</dt>
            <dd className="num">{spanOf(more)}</dd>
          </div>
        </dl>
        {request ? (
          <Alert tone="wait">
            {words.asked}: {request}
          </Alert>
        ) : null}
        <Days crew={crew} sheet={sheet} words={words} />
        {isOpen && sheet.paidSeconds > 0 ? (
          running ? (
            <p className="muted">{words.stillIn}</p>
          ) : (
            <FieldButton kind="main" onClick={() => void handIn()}>
              {words.handIn}
            </FieldButton>
          )
        ) : null}
        {sheet.locked ? null : <FieldButton onClick={onAsk}>{words.ask}</FieldButton>}
        <History crew={crew} sheet={sheet} words={words} />
      </div>
    </FieldCard>
  )
}

const AskForm = ({ words, onSend }: { words: SheetTexts; onSend: (note: string) => void }) => {
  const [note, setNote] = useState('')
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  return (
    <form
      className="c-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (note.trim()) onSend(note.trim())
        else setWrong(words.askMissing)
      }}
    >
      <FieldInput
        label={words.askTitle}
        hint={words.askHint}
        value={note}
        error={wrong}
        maxLength={400}
        lines={3}
        onChange={(value) => {
          setNote(value)
          setWrong(undefined)
        }}
      />
      <FieldButton kind="main" type="submit">
        {words.askSend}
      </FieldButton>
    </form>
  )
}

/** My last weeks: what the office has of them, handed in from here, and a word when something is wrong. Works without a signal. */
export const OwnSheetsScreen = ({ dock }: CrewScreenProps) => {
  const crew = useCrew()
  const { t } = crew
  const words = sheetTexts[crew.language]
  const { sheets, waiting, isOld, failed, retry } = useOwnSheets(crew)
  const [asking, setAsking] = useState<string | null>(null)
  const { userId } = crew.outbox
  // what was new when the screen was opened stays marked while it is open
  const [seenAt] = useState(() => seenWeeksAt(userId))
  const news = weekNews(sheets?.items ?? [], seenAt, Date.now())
  useEffect(() => {
    if (sheets) noteWeeksSeen(userId, sheets.items)
  }, [sheets, userId])
  const send = (note: string) => {
    const week = asking ?? ''
    setAsking(null)
    crew.act('ask_week', undefined, { week, note }).catch(() => toast.error(t.notSaved))
  }
  // Weeks that have nothing and are over say nothing.
  const shown = sheets?.items.filter(
    (sheet, at) => at === 0 || sheet.paidSeconds > 0 || sheet.changes.length > 0 || sheet.days.some((day) => day.off),
  )
  return (
    <FieldScreen header={<CrewHeader crew={crew} title={words.title} />} dock={dock(null)}>
      <div className="c-day">
        {shown ? null : <NotLoaded failed={failed} title={words.failed} t={t} onRetry={retry} />}
        {shown && isOld && !crew.sync.online ? (
          <div style={{ padding: '0 16px' }}>
            <Alert tone="wait">{words.kept}</Alert>
          </div>
        ) : null}
        {shown?.map((sheet) => (
          <Week
            key={sheet.week}
            crew={crew}
            sheet={sheet}
            words={words}
            waiting={waiting}
            news={news.find(({ week }) => week === sheet.week)?.kind}
            onAsk={() => setAsking(sheet.week)}
          />
        ))}
      </div>
      <Sheet open={asking !== null} onClose={() => setAsking(null)} title={words.ask} closeLabel={t.close}>
        {asking ? <AskForm words={words} onSend={send} /> : null}
      </Sheet>
    </FieldScreen>
  )
}
