import type { Ref } from 'react'
import { parseDollars } from '#src/shared/money.ts'
import { TypedInput, type TypedProps } from './TypedInput.tsx'
import { dollarsText } from './typedValues.ts'
import { useTyped } from './useTyped.ts'

type Extra = {
  unit?: string
  placeholder?: string
  /** Why an amount cannot be taken, as a sentence, or null; like one that cannot be read it keeps its form from being sent. */
  refuse?: (cents: number) => string | null
  ref?: Ref<HTMLInputElement>
}

/** Dollars are typed, integer cents come out; null when empty. */
export const MoneyField = ({
  value,
  onChange,
  onBlur,
  error,
  unit,
  refuse = () => null,
  ...rest
}: TypedProps<number> & Extra) => {
  const refused = (text: string) => {
    const cents = parseDollars(text)
    return cents === null ? null : refuse(cents)
  }
  const read = (text: string) => (refused(text) === null ? parseDollars(text) : null)
  const typed = useTyped(value, dollarsText, read, onChange, onBlur)
  return (
    <TypedInput
      {...rest}
      right
      before="$"
      inputMode="decimal"
      error={error ?? (typed.unread ? (refused(typed.text) ?? 'Type an amount like 45 or 1,250.00.') : undefined)}
      text={typed.text}
      unread={typed.unread}
      onText={typed.type}
      onLeave={typed.leave}
      after={unit ? <span className="ui-input__side">{unit}</span> : null}
    />
  )
}
