import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import type { OwnChoices } from '../contract.ts'
import { NewsCard } from './NewsCard.tsx'

const open = async () => {
  const own: OwnChoices = { bellOff: ['money'], mailOff: [], digestHour: null, email: 'ann@test.swath.test' }
  const asked: unknown[] = []
  let fails = false
  answerWith(async (request) => {
    if (request.method === 'GET') return { body: own }
    const body = (await request.json()) as { hour?: number; topic?: string; on?: boolean }
    asked.push(body)
    if (fails) return { status: 500, body: { message: 'Something went wrong' } }
    if ('hour' in body) own.digestHour = body.hour ?? null
    else own.bellOff = body.on ? [] : ['money', 'quotes']
    return { body: own }
  })
  const shown = show(<NewsCard />)
  await screen.findByRole('group', { name: 'Invoices and payments' })
  const box = (topic: string, way: string) => {
    const group = screen.getByRole('group', { name: topic })
    return [...group.querySelectorAll('label')]
      .find((label) => label.textContent?.startsWith(way))
      ?.querySelector('input')
  }
  return { ...shown, asked, box, fail: () => (fails = true) }
}

it('shows what I hear of, and says at once what I chose', async () => {
  const { user, asked, box } = await open()
  expect(box('Invoices and payments', 'On the bell')?.checked).toBe(false)
  expect(box('Needs you', 'On the bell')?.disabled).toBe(true)
  expect(box('Quotes and leads', 'In the mail')?.disabled).toBe(true)
  await user.click(box('Quotes and leads', 'On the bell') as HTMLInputElement)
  expect(box('Quotes and leads', 'On the bell')?.checked).toBe(false)
  await waitFor(() => expect(asked).toEqual([{ topic: 'quotes', way: 'bell', on: false }]))
  await user.selectOptions(screen.getByLabelText('Mail with what you have not read'), 'Every day at 5:00 PM')
  await waitFor(() => expect(box('Quotes and leads', 'In the mail')?.disabled).toBe(false))
  expect(screen.getByText(/To ann@test\.swath\.test/)).toBeTruthy()
  expect(asked.at(-1)).toEqual({ hour: 17 })
})

it('says in sight that nothing was changed', async () => {
  const { user, box, fail } = await open()
  fail()
  await user.click(box('Crew chat', 'On the bell') as HTMLInputElement)
  await screen.findByText(/nothing was changed/)
  expect(box('Crew chat', 'On the bell')?.checked).toBe(true)
})
