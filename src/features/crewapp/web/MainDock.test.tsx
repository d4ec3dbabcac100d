import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { CrewStop } from '../contract.ts'
import type { Crew } from './data.ts'
import { MainDock } from './MainDock.tsx'
import { textsOf } from './texts.ts'
import type { DayActions } from './useDay.ts'

const stop = { id: 'a', status: 'in_progress' } as CrewStop

const aDock = (state: 'off' | 'working') => {
  const day = { stop, act: vi.fn(), askFinish: vi.fn() }
  const crew = { t: textsOf('en'), language: 'en', clock: { state } } as unknown as Crew
  return { ...show(<MainDock crew={crew} day={day as unknown as DayActions} />), day }
}
const isLarge = (name: string): boolean => screen.getByRole('button', { name }).classList.contains('f-main')

it('who is off the clock at a stop that the lead has begun is led to clock in, and finishing asks once', async () => {
  const { user, day } = aDock('off')
  expect([isLarge('Clock in'), isLarge('Finish')]).toEqual([true, false])
  await user.click(screen.getByRole('button', { name: 'Finish' }))
  screen.getByRole('dialog', { name: 'You are not clocked in' })
  expect(day.askFinish).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Finish all the same' }))
  expect(day.askFinish).toHaveBeenCalledWith(stop)
  await user.click(screen.getByRole('button', { name: 'Finish' }))
  expect(day.askFinish).toHaveBeenCalledTimes(2)
})

it('clocks in from the question, and finishes nothing', async () => {
  const { user, day } = aDock('off')
  await user.click(screen.getByRole('button', { name: 'Finish' }))
  await user.click(screen.getAllByRole('button', { name: 'Clock in' }).at(-1) as HTMLElement)
  expect(day.act).toHaveBeenCalledWith('clock_in')
  expect(day.askFinish).not.toHaveBeenCalled()
})

it('who is on the clock finishes with the large button and is asked nothing', async () => {
  const { user, day } = aDock('working')
  expect(isLarge('Finish')).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Finish' }))
  expect(day.askFinish).toHaveBeenCalledWith(stop)
})
