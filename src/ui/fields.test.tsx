import { render, screen } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { describe, expect, it } from 'vitest'
import { DateField } from './DateField.tsx'
import { MoneyField } from './MoneyField.tsx'
import { NumberField } from './NumberField.tsx'
import { TextAreaField } from './TextAreaField.tsx'
import { show } from './testing/show.tsx'
import { focusUnread } from './useTyped.ts'

/** Holds a field's value as a form does and keeps all that came out of it. */
const held = (Field: typeof MoneyField | typeof NumberField, first: number | null, more: object = {}) => {
  const out: (number | null)[] = []
  const Holder = () => {
    const [value, setValue] = useState(first)
    const take = (next: number | null) => {
      out.push(next)
      setValue(next)
    }
    return <Field label="Price" value={value} onChange={take} {...more} />
  }
  const { user } = show(<Holder />)
  return { user, out, field: screen.getByRole('textbox', { name: 'Price' }) as HTMLInputElement }
}

describe('an amount of money', () => {
  it.each([
    ['45', 4500, '45.00'],
    ['1,250.5', 125050, '1,250.50'],
    ['$0.07', 7, '0.07'],
    [' 12 ', 1200, '12.00'],
  ])('typed as %j is %i cents, and written out when left', async (typed, cents, written) => {
    const { user, out, field } = held(MoneyField, null)
    await user.type(field, typed)
    expect(field.value).toBe(typed)
    expect(out.at(-1)).toBe(cents)
    await user.tab()
    expect(field.value).toBe(written)
  })

  it('that cannot be read stays as it was typed, says what is meant and gives nothing', async () => {
    const { user, out, field } = held(MoneyField, 4500)
    await user.clear(field)
    await user.type(field, '12.345')
    await user.tab()
    expect(field.value).toBe('12.345')
    expect(out.at(-1)).toBeNull()
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toContain(
      'Type an amount like 45 or 1,250.00.',
    )
  })

  it('is nothing when it is emptied, not zero', async () => {
    const { user, out, field } = held(MoneyField, 4500)
    await user.clear(field)
    await user.tab()
    expect([out.at(-1), field.value]).toEqual([null, ''])
    expect(field.getAttribute('aria-invalid')).toBeNull()
  })
})

describe('a number', () => {
  it('steps with the arrows and stops at its limits', async () => {
    const { user, out, field } = held(NumberField, 28, { step: 5, max: 35 })
    await user.click(field)
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowDown}')
    expect(out).toEqual([33, 35, 30])
    expect(field.value).toBe('30')
  })

  it('steps without dust behind the point', async () => {
    const { user, out, field } = held(NumberField, 0.1, { step: 0.1 })
    await user.click(field)
    await user.keyboard('{ArrowUp}{ArrowUp}')
    expect(out).toEqual([0.2, 0.3])
  })

  it('may be half typed without being taken away', async () => {
    const { user, out, field } = held(NumberField, null)
    await user.type(field, '1,250.')
    expect([field.value, out.at(-1)]).toEqual(['1,250.', 1250])
    await user.type(field, '5 sq ft')
    await user.tab()
    expect([field.value, out.at(-1)]).toEqual(['1,250.5 sq ft', null])
    expect(screen.getByText('Type a number, like 12 or 12.5.')).toBeTruthy()
  })
})

const HeldDay = ({ out, more }: { out: (string | null)[]; more: object }) => {
  const [value, setValue] = useState<string | null>('2026-11-22')
  const take = (next: string | null) => {
    out.push(next)
    setValue(next)
  }
  return <DateField label="Received on" value={value} onChange={take} today="2026-11-22" {...more} />
}

describe('a day', () => {
  const day = (more: object) => {
    const out: (string | null)[] = []
    const { user } = show(<HeldDay out={out} more={more} />)
    return { user, out, field: screen.getByRole('textbox', { name: 'Received on' }) as HTMLInputElement }
  }

  it.each([
    ['12/31/2026', {}, 'Not after Sun, Nov 22, 2026.'],
    ['2/29/2026', { error: 'On which day?' }, 'This is no day of the calendar. Type one like 6/12 or June 12.'],
  ])('typed as %s says what is wrong with it', async (typed, more, words) => {
    const { user, field } = day({ max: '2026-11-22', ...more })
    await user.clear(field)
    await user.type(field, typed)
    await user.tab()
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(words)
  })

  it('that stood there before is left alone, also when it could not be chosen now', async () => {
    const { user, field } = day({ min: '2026-11-23' })
    expect(field.getAttribute('data-unread')).toBeNull()
    await user.clear(field)
    await user.type(field, '11/21/2026')
    await user.tab()
    expect(field.getAttribute('data-unread')).not.toBeNull()
  })

  it('that cannot be saved is shown also where its part of the form was closed', () => {
    const { container } = render(
      <details>
        <summary>More</summary>
        <input data-unread="true" aria-label="Day" />
      </details>,
    )
    expect(focusUnread(container)).toBe(true)
    expect(container.querySelector('details')?.open).toBe(true)
  })

  it('is not pushed past its last by the arrow keys', async () => {
    const { user, out, field } = day({ max: '2026-11-22' })
    await user.click(field)
    await user.keyboard('{ArrowUp}')
    expect(out).toEqual([])
  })
})

const note = (label: string) => <TextAreaField label={label} value="" onChange={() => undefined} />

/** A button that goes for a field, or that stays beside it. */
const Opens = ({ field, stays = false }: { field: ReactNode; stays?: boolean }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      {open && !stays ? null : (
        <button type="button" onClick={() => setOpen(true)}>
          Write one
        </button>
      )}
      {open ? field : null}
    </>
  )
}

describe('a field that opens in place of the button that was pressed', () => {
  it('takes what is typed at once; the first of several does', async () => {
    const { user } = show(
      <Opens
        field={
          <>
            {note('Note')}
            {note('More')}
          </>
        }
      />,
    )
    await user.click(screen.getByRole('button', { name: 'Write one' }))
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Note' }))
  })

  it('leaves the focus where the button stays, and where nobody pressed anything', async () => {
    const { user } = show(
      <>
        {note('First')}
        <Opens field={note('Note')} stays />
      </>,
    )
    expect(document.activeElement).toBe(document.body)
    await user.click(screen.getByRole('button', { name: 'Write one' }))
    expect(screen.getByRole('textbox', { name: 'Note' })).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Write one' }))
  })
})
