import { addDays } from '../../../shared/dates.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import type { Crew } from './data.ts'
import { shortDay } from './labels.ts'
import { useOwnSheets } from './ownSheets.ts'
import { sheetTexts } from './sheetTexts.ts'
import { seenWeeksAt, weekNews } from './weekNews.ts'

/** What the office did to one's weeks, on the screen that everybody looks at. */
export const WeekNewsCard = ({ crew }: { crew: Crew }) => {
  const { t, outbox, now } = crew
  const words = sheetTexts[crew.language]
  const { sheets, waiting } = useOwnSheets(crew)
  const handedIn = waiting.flatMap(({ type, payload }) => (type === 'submit_week' ? (payload.week ?? []) : []))
  const news = weekNews(sheets?.items ?? [], seenWeeksAt(outbox.userId), now).filter(
    ({ week }) => !handedIn.includes(week),
  )
  if (news.length === 0) return null
  return (
    <FieldCard>
      <div className="c-stack">
        {news.map(({ week, kind, reason }) => (
          <Alert key={week} tone={kind === 'approved' || kind === 'answered' ? 'done' : 'wait'}>
            {words.news[kind](words.weekOf(shortDay(week, t), shortDay(addDays(week, 6), t)))}
            {reason ? ` “${words.own[reason] ?? reason}”` : ''}
          </Alert>
        ))}
        <FieldButton href="/employee-timesheets">{words.look}</FieldButton>
      </div>
    </FieldCard>
  )
}
