import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useToday, useUser } from '../../accounts/web/session.ts'
import type { Automation } from '../contract.ts'
import { firstDayOf } from '../kinds/rules.ts'
import { dryRunDays } from '../rules.ts'
import { DryRunResult } from './DryRunResult.tsx'
import { dryRunQuery } from './data.ts'

/** What its first month will be like, where that is not what the last one would have been. */
const Begins = ({ automation }: { automation: Automation }) => {
  const { timeZone } = useUser().business
  const today = useToday()
  const since = automation.enabled && automation.enabledAt ? dayOf(automation.enabledAt, timeZone) : today
  const first = firstDayOf(automation, since)
  if (first === null || first <= today) return null
  return (
    <p className="hint">
      {automation.enabled
        ? `Live it counts from ${formatDay(since)}, when it was switched on: the first can leave on ${formatDay(first)}.`
        : `Live it counts from the day you switch it on: switched on today, the first can leave on ${formatDay(first)}. Whoever the dry run names is left out then.`}
    </p>
  )
}

/** What it would have done last month, by the same selection that it goes by once it is on. */
export const DryRunCard = ({ automation, unsaved }: { automation: Automation; unsaved: boolean }) => {
  const [asked, setAsked] = useState(false)
  const found = useQuery({ ...dryRunQuery(automation.id, automation.version), enabled: asked })
  return (
    <Card
      title="Dry run"
      hint={
        unsaved
          ? 'Of what is saved: save first to see what you changed.'
          : `Who would have got it in the last ${dryRunDays} days, by text or e-mail, and who would not and why. Nothing is sent.`
      }
      actions={
        <Button
          loading={found.isFetching}
          onClick={() => {
            if (asked) void found.refetch()
            else setAsked(true)
          }}
        >
          {asked ? 'Look again' : 'Look at the last month'}
        </Button>
      }
    >
      <Begins automation={automation} />
      {!asked ? null : found.data ? (
        <DryRunResult {...found.data} />
      ) : found.isError ? (
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <Skeleton height={80} />
      )}
    </Card>
  )
}
