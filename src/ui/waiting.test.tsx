import { act, screen } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { call, configureClient } from '#src/shared/client.ts'
import { useAsking } from './asking.ts'
import { Button } from './Button.tsx'
import { Form } from './Form.tsx'
import { FormActions } from './FormActions.tsx'
import { wonderMs } from './StillWaiting.tsx'
import { show } from './testing/show.tsx'

afterEach(() => vi.useRealTimers())

const Question = () => {
  useAsking()
  return null
}

describe('a button that is waited for', () => {
  it('says after a while that nothing is lost, keeps the focus, and is quiet when it is over', () => {
    vi.useFakeTimers()
    const part = (loading: boolean) => (
      <Button kind="primary" loading={loading}>
        Save
      </Button>
    )
    const { rerender } = show(part(false))
    const button = screen.getByRole('button', { name: 'Save' })
    button.focus()
    rerender(part(true))
    expect(document.activeElement).toBe(button)
    expect(screen.getByRole('status').textContent).toBe('')
    act(() => vi.advanceTimersByTime(wonderMs))
    expect(screen.getByRole('status').textContent).toContain('Nothing is lost')
    expect(screen.getByRole('button').textContent).toBe('Save')
    rerender(part(false))
    expect(screen.queryByRole('status')).toBeNull()
    expect(document.activeElement).toBe(button)
  })

  it('says nothing while the person is asked what to do', () => {
    vi.useFakeTimers()
    const part = (asked: boolean) => (
      <>
        <Button kind="primary" loading>
          Save
        </Button>
        {asked ? <Question /> : null}
      </>
    )
    const { rerender } = show(part(true))
    act(() => vi.advanceTimersByTime(wonderMs))
    expect(screen.getByRole('status').textContent).toBe('')
    rerender(part(false))
    act(() => vi.advanceTimersByTime(wonderMs))
    expect(screen.getByRole('status').textContent).toContain('Nothing is lost')
  })

  it('says nothing beside what is no main button', () => {
    vi.useFakeTimers()
    show(<Button loading>Load more</Button>)
    act(() => vi.advanceTimersByTime(wonderMs))
    expect(screen.queryByRole('status')).toBeNull()
  })
})

const Part = () => {
  const form = useForm()
  return (
    <Form form={form} onSubmit={() => call({ method: 'POST', path: '/api/services' }, {})}>
      <FormActions>
        <Button type="submit">Save</Button>
      </FormActions>
    </Form>
  )
}

it('a form that could not reach the server stops saying so as soon as it answers', async () => {
  let away = true
  configureClient({
    baseUrl: 'http://swath.test',
    retries: 0,
    fetch: async () => {
      if (away) throw new TypeError('Failed to fetch')
      return Response.json({})
    },
  })
  const { user } = show(<Part />)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert')).textContent).toContain('We could not reach Swath')
  away = false
  // whatever else on the screen asks next
  await act(() => call({ method: 'GET', path: '/api/services' }, {}))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByRole('status').textContent).toContain('Swath can be reached again.')
})
