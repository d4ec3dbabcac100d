import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { show } from '../../../../ui/testing/show.tsx'
import { NotedQuotes } from './NotedQuotes.tsx'
import { NotedServices } from './NotedServices.tsx'

const services = [
  { id: 'a', name: 'Core aeration', nameEs: 'Aireación', measuredBy: 'lawn' as const },
  // what was kept on a phone before, or has no Spanish name
  { id: 'b', name: 'Gutter cleaning', measuredBy: 'lawn' as const },
]

it('names services in Spanish for who reads Spanish, and those without a Spanish name as they are', async () => {
  const onPick = vi.fn()
  const part = (language: 'en' | 'es') => (
    <NotedServices services={services} picked={{}} language={language} onPick={onPick} onType={onPick} />
  )
  const { user, rerender } = show(part('es'))
  expect(screen.getAllByRole('checkbox').map((one) => one.closest('label')?.textContent)).toEqual([
    'Aireación',
    'Gutter cleaning',
  ])
  await user.click(screen.getByRole('checkbox', { name: 'Aireación' }))
  expect(onPick.mock.lastCall?.[0]({ picked: {} })).toEqual({ picked: { a: { squareFeet: '', quantity: '' } } })
  rerender(part('en'))
  screen.getByRole('checkbox', { name: 'Core aeration' })
})

it('names what was noted in Spanish, too', () => {
  const noted = {
    id: 'q',
    number: 1001,
    street: '7 Bay St',
    services: ['Core aeration', 'Leaves by the shed'],
    servicesEs: ['Aireación', 'Leaves by the shed'],
    status: 'draft' as const,
    createdAt: '2026-06-12T12:00:00Z',
  }
  const { rerender } = show(<NotedQuotes items={[noted]} waiting={[]} language="es" />)
  screen.getByText('Aireación, Leaves by the shed')
  rerender(<NotedQuotes items={[noted]} waiting={[]} language="en" />)
  screen.getByText('Core aeration, Leaves by the shed')
})
