import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, show } from '#src/ui/testing/show.tsx'
import { RoutesSection } from './BusinessSections.tsx'
import { businessQuery } from './data.ts'

const Part = () => {
  const { data } = useQuery(businessQuery)
  return data ? <RoutesSection settings={data} /> : null
}

it('says how crews end now, and saves another choice', async () => {
  let now: object = { version: 4, routeEvenness: 'cost' }
  const sent: object[] = []
  answerWith(async (request) => {
    if (request.method === 'GET') return { body: now }
    const body = (await request.json()) as object
    sent.push(body)
    now = { ...now, ...body, version: 5 }
    return { body: now }
  })
  const { user } = show(<Part />)
  expect(await screen.findByRole('radio', { name: /Does not matter/ })).toHaveProperty('checked', true)
  await user.click(screen.getByRole('radio', { name: /Within an hour of each other/ }))
  await user.click(screen.getByRole('button', { name: 'Save routes' }))
  await waitFor(() => expect(sent).toEqual([{ version: 4, routeEvenness: 'hour' }]))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save routes' })).toBeNull())
  expect(screen.getByRole('radio', { name: /Within an hour of each other/ })).toHaveProperty('checked', true)
})
