import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { ScheduleEditor } from './ScheduleEditor.tsx'
import { newSchedule, type Schedule, withHowOften } from './schedule.ts'

const calendar = {
  today: '2026-04-08',
  workDays: [1, 2, 3, 4, 5],
  holidays: [],
  holidayRule: 'next' as const,
  season: [{ from: '03-01', to: '11-30' }],
}

let latest: Schedule
const Part = ({ start, running = false }: { start: Schedule; running?: boolean }) => {
  const [value, setValue] = useState(start)
  latest = value
  return <ScheduleEditor value={value} onChange={setValue} calendar={calendar} hideStart={running} />
}
const biweekly = () => withHowOften(newSchedule(calendar), 'biweekly', calendar)

it('biweekly work changes its week only where somebody picks the other one', async () => {
  const start = { ...biweekly(), startOn: '2026-03-05' }
  const running = { ...start, recurrence: start.recurrence && { ...start.recurrence, phaseOn: '2026-03-05' } }
  const { user } = show(<Part start={running} running />)
  const at = screen.getByRole('radio', { checked: true, name: /^Week/ })
  const letter = at.parentElement?.textContent?.match(/Week ([AB])/)?.[1]
  await user.click(screen.getByRole('button', { name: /^Fr/ }))
  await user.click(screen.getByRole('radio', { name: 'Every week' }))
  await user.click(screen.getByRole('radio', { name: 'Every 2 weeks' }))
  expect(latest.recurrence?.phaseOn).toBe('2026-03-05')
  await user.click(screen.getByRole('radio', { name: new RegExp(`^Week ${letter === 'A' ? 'B' : 'A'}`) }))
  expect(latest.recurrence?.phaseOn).not.toBe('2026-03-05')
  expect((Date.parse(latest.recurrence?.phaseOn ?? '') - Date.parse('2026-03-05')) / 604_800_000).toBe(-1)
})

it('a part of the year has a pace of its own, and the next days say so', async () => {
  const { user } = show(<Part start={newSchedule(calendar)} />)
  await user.click(screen.getByText('Another pace in part of the year'))
  await user.click(screen.getByRole('button', { name: 'Add a period' }))
  expect(latest.recurrence?.periods).toEqual([{ from: '03-01', to: '03-31', interval: 2 }])
  expect(screen.getByText(/every second week from March 1 to March 31/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Remove period 1' }))
  expect(latest.recurrence).not.toHaveProperty('periods')
})

it('says where a gap is longer than allowed', async () => {
  const start = newSchedule(calendar)
  const rule = start.recurrence
  if (!rule) throw new Error('no rule')
  show(<Part start={{ ...start, recurrence: { ...rule, maxGapDays: 7, exceptions: ['2026-04-16'] } }} />)
  expect(screen.getByText(/longer than allowed/)).toBeTruthy()
})
