import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../../shared/client.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { useMay } from '../../../accounts/web/session.ts'
import { daysOffApi } from '../contract.ts'

const bookedOffQuery = queryOptions({
  queryKey: ['visits', 'days-off'],
  meta: { live: { topics: ['visits', 'business', 'jobs'] } },
  queryFn: ({ signal }) => call(daysOffApi.list, {}, { signal }),
})

type Moved = { visitId: string; version: number }[]
const visitsLabel = (count: number): string => (count === 1 ? '1 visit' : `${count} visits`)

/** What was booked before a day became a day off: moved to the next work day with one press, or left. */
export const BookedOff = () => {
  const may = useMay()(daysOffApi.move)
  const client = useQueryClient()
  const found = useQuery({ ...bookedOffQuery, enabled: may })
  const [leave, setLeave] = useState('')
  const onSettled = () => {
    for (const topic of ['visits', 'calendar', 'routes', 'jobs', 'dashboard'])
      void client.invalidateQueries({ queryKey: [topic] })
  }
  const undo = useIdempotentMutation({
    onSettled,
    mutationFn: (moved: Moved, key) => call(daysOffApi.undo, { body: { moved } }, { idempotencyKey: key }),
    onSuccess: ({ back, kept }) =>
      toast.success(
        `${visitsLabel(back)} back where ${back === 1 ? 'it was' : 'they were'}${kept > 0 ? `; ${kept} changed since and stayed` : ''}`,
      ),
    onError: (error) => toast.error(error),
  })
  const move = useIdempotentMutation({
    onSettled,
    mutationFn: (days: string[], key) => call(daysOffApi.move, { body: { days } }, { idempotencyKey: key }),
    onSuccess: ({ moved, left }) => {
      const rest = left > 0 ? `; ${left} found no open day` : ''
      if (moved.length > 0)
        toast.undo(
          `${visitsLabel(moved.length)} moved to the next work day${rest}`,
          () => undo.mutate(moved),
          'days-off',
        )
      else toast.error('No visit found an open day. Nothing was changed; move them on the calendar.')
    },
    onError: (error) => toast.error(error),
  })
  const days = found.data?.days ?? []
  const key = days.map(({ day, visits }) => `${day} ${visits}`).join()
  const count = days.reduce((sum, one) => sum + one.visits, 0)
  if (count === 0 || leave === key) return null
  const named = days.slice(0, 4).map(({ day, visits }) => `${formatDay(day)} (${visits})`)
  return (
    <Banner
      tone="warn"
      action={
        <>
          <Button size="s" onClick={() => setLeave(key)}>
            Leave them
          </Button>
          <Button
            size="s"
            kind="primary"
            calls={daysOffApi.move}
            loading={move.isPending}
            onClick={() => move.mutate(days.map(({ day }) => day))}
          >
            Move to the next work day
          </Button>
        </>
      }
    >
      {visitsLabel(count)} {count === 1 ? 'stands' : 'stand'} on a day off of yours: {named.join(', ')}
      {days.length > named.length ? ` and ${days.length - named.length} more days` : ''}. New visits avoid these days;
      what was booked before stays until you move it.
    </Banner>
  )
}
