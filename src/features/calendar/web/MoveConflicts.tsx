import './calendar.css'
import { useQuery } from '@tanstack/react-query'
import type { Visit } from '../../visits/contract.ts'
import { rangeQuery, type Target, useJudge } from './data.ts'
import { VerdictNote } from './VerdictNote.tsx'

/** What speaks against a visit on a day and crew, before it is moved there: the board's own verdict. */
export const MoveConflicts = ({ visit, to }: { visit: Visit; to: Target }) => {
  const { data: range, isPlaceholderData } = useQuery(rangeQuery(to.day, to.day))
  const judge = useJudge(range)
  if (!range || isPlaceholderData) return null
  return (
    <output aria-live="polite">
      <VerdictNote verdict={judge({ ...visit, ...visit.needs }, to)} />
    </output>
  )
}
