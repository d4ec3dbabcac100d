import { screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { Calendar } from '../rules.ts'
import { FirstVisit, type Past, usualPast } from './FirstVisit.tsx'
import { newSchedule, withStart } from './schedule.ts'

const calendar = { today: '2026-06-12', workDays: [], holidays: [], holidayRule: 'next' as const, season: [] }

const Part = ({ startOn, asks = true, of = calendar }: { startOn: string; asks?: boolean; of?: Calendar }) => {
  const [choice, onChange] = useState<Past>('none')
  const schedule = withStart(newSchedule(of), startOn)
  return (
    <FirstVisit
      lines={[schedule]}
      schedule={schedule}
      calendar={of}
      {...(asks ? { past: { choice, onChange } } : {})}
    />
  )
}

describe('the first visit of a new job', () => {
  it('is said, and nothing is offered for a start that is still to come', () => {
    const { container } = show(<Part startOn="2026-06-15" />)
    expect(container.textContent).toContain('First visit Mon, Jun 15')
    expect(screen.queryByRole('radio')).toBeNull()
  })

  it('of a start that was yesterday is next week, and the visit of yesterday is offered', async () => {
    const { container, user } = show(<Part startOn="2026-06-11" />)
    expect(container.textContent).toContain('First visit Thu, Jun 18, because Thu, Jun 11 is over')
    expect(container.textContent).toContain('That day is over: no visit is made for it.')
    await user.click(screen.getByRole('radio', { name: /It is still to do/ }))
    expect(container.textContent).toContain('First visit Thu, Jun 11')
    expect(screen.getByRole('radio', { name: /It was done that day/ })).toBeDefined()
    expect(container.textContent).toContain('It stands on the calendar as late until finished.')
  })

  it('of one day that is over was done, unless somebody says that it is still to do', () => {
    const once = { ...newSchedule(calendar), recurrence: null, onceOn: '2026-06-11' }
    expect([usualPast(once, calendar.today), usualPast(newSchedule(calendar), calendar.today)]).toEqual([
      'done',
      'none',
    ])
    show(
      <FirstVisit lines={[once]} schedule={once} calendar={calendar} past={{ choice: 'done', onChange: () => {} }} />,
    )
    expect(screen.queryByRole('radio', { name: /Leave out/ })).toBeNull()
  })

  it('that a holiday moves says so', () => {
    const { container } = show(<Part startOn="2026-07-03" of={{ ...calendar, holidays: ['2026-07-03'] }} />)
    expect(container.textContent).toContain('First visit Sat, Jul 4, because Fri, Jul 3 is a day off')
  })

  it('that waits for the season says so', () => {
    const { container } = show(
      <Part startOn="2026-06-15" of={{ ...calendar, season: [{ from: '07-01', to: '11-30' }] }} />,
    )
    expect(container.textContent).toContain('First visit Mon, Jul 6, because the season begins later')
  })

  it('says how many days are left out where they cannot be made', () => {
    const { container } = show(<Part startOn="2026-05-28" asks={false} />)
    expect(container.textContent).toContain('The schedule also names 3 days since Thu, May 28.')
    expect(container.textContent).toContain('Those days are over: no visit is made for them.')
  })
})
