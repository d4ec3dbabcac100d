import { screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { FirstVisit } from './FirstVisit.tsx'
import { newSchedule, withStart } from './schedule.ts'

const calendar = { today: '2026-06-12', workDays: [], holidays: [], holidayRule: 'next' as const, season: [] }

const Part = ({ startOn, asks = true }: { startOn: string; asks?: boolean }) => {
  const [included, onChange] = useState(false)
  const schedule = withStart(newSchedule(calendar), startOn)
  return (
    <FirstVisit
      lines={[schedule]}
      schedule={schedule}
      calendar={calendar}
      {...(asks ? { past: { included, onChange } } : {})}
    />
  )
}

describe('the first visit of a new job', () => {
  it('is said, and nothing is offered for a start that is still to come', () => {
    const { container } = show(<Part startOn="2026-06-15" />)
    expect(container.textContent).toContain('First visit Mon, Jun 15')
    expect(screen.queryByRole('checkbox')).toBeNull()
  })

  it('of a start that was yesterday is next week, and the visit of yesterday is offered', async () => {
    const { container, user } = show(<Part startOn="2026-06-11" />)
    expect(container.textContent).toContain('First visit Thu, Jun 18')
    expect(container.textContent).toContain('That day is over: no visit is made for it.')
    await user.click(screen.getByRole('checkbox', { name: /Also make the visit of Thu, Jun 11/ }))
    expect(container.textContent).toContain('First visit Thu, Jun 11')
    expect(container.textContent).toContain('It stands on the calendar as late until finished.')
  })

  it('says how many days are left out where they cannot be made', () => {
    const { container } = show(<Part startOn="2026-05-28" asks={false} />)
    expect(container.textContent).toContain('The schedule also names 3 days since Thu, May 28.')
    expect(container.textContent).toContain('Those days are over: no visit is made for them.')
  })
})
