import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '#src/ui/testing/show.tsx'
import { RouteTotals } from '../contract.ts'
import { Result, type Searched } from './Result.tsx'

const totals: RouteTotals = RouteTotals.parse({
  stops: 12,
  driveSeconds: 6900,
  driveMeters: 40_000,
  workSeconds: 0,
  shiftPercent: 0,
  endMinute: null,
  laborCents: null,
  mileageCents: null,
})
const way = (evenness: 'cost' | 'hour' | 'even', moreDriveSeconds: number, moreCents: number) => ({
  evenness,
  moreDriveSeconds,
  moreCents,
  apartMinutes: 0,
})

it('says what each other way of sharing the day out costs, and plans the day so at a press', async () => {
  const asked: string[] = []
  const searched: Searched = {
    before: totals,
    after: totals,
    booked: totals,
    tookMs: 900,
    left: [],
    name: null,
    evenness: { chosen: 'hour', choices: [way('cost', 0, 0), way('hour', 1680, 4100), way('even', 2100, 5000)] },
  }
  const { user } = show(
    <Result
      searched={searched}
      busy={false}
      onLonger={() => undefined}
      onCompare={() => undefined}
      onClose={() => undefined}
      onEvenness={(evenness) => asked.push(evenness)}
    />,
  )
  expect(screen.getByText(/crews end within an hour/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Least driving: −28 min, −$41' }))
  await user.click(screen.getByRole('button', { name: 'Crews end together: +7 min, +$9' }))
  expect(asked).toEqual(['cost', 'even'])
})
