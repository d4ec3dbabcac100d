import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { LocalMailLink } from './LocalMailLink.tsx'

beforeEach(() => void vi.spyOn(location, 'hostname', 'get').mockReturnValue('localhost'))
afterEach(() => void vi.restoreAllMocks())

const answered = (headers: Record<string, string>) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { headers }))
const link = () => screen.queryByRole('link', { name: 'Read the mail on this computer' })

it('leads to the mail of this computer where its page says that it is one', async () => {
  answered({ 'x-swath-local-mail': '1' })
  show(<LocalMailLink />)
  await waitFor(() => expect(link()).not.toBeNull())
})

it('is not there where a server answers that address with something else', async () => {
  const asked = answered({ 'content-type': 'text/html' })
  const { client } = show(<LocalMailLink />)
  await waitFor(() => expect(client.getQueryData(['local', 'accounts'])).toBe(false))
  expect(asked).toHaveBeenCalledOnce()
  expect(link()).toBeNull()
})

it('asks nobody under another name', () => {
  vi.mocked(vi.spyOn(location, 'hostname', 'get')).mockReturnValue('app.lawn.example')
  const asked = answered({ 'x-swath-local-mail': '1' })
  show(<LocalMailLink />)
  expect(asked).not.toHaveBeenCalled()
})
