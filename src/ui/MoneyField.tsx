import type { Ref } from 'react'
import { parseDollars } from '#src/shared/money.ts'
import { TypedInput, type TypedProps } from './TypedInput.tsx'
import { dollarsText } from './typedValues.ts'
import { useTyped } from './useTyped.ts'

/** Dollars are typed, integer cents come out; null when empty. */
export const MoneyField = ({
  value,
  onChange,
  onBlur,
  error,
  unit,
  ...rest
}: TypedProps<number> & { unit?: string; placeholder?: string; ref?: Ref<HTMLInputElement> }) => {
  const typed = useTyped(value, dollarsText, parseDollars, onChange, onBlur)
  return (
    <TypedInput
      {...rest}
      right
      before="$"
      inputMode="decimal"
      error={error ?? (typed.unread ? 'Type an amount like 45 or 1,250.00.' : undefined)}
      text={typed.text}
      unread={typed.unread}
      onText={typed.type}
      onLeave={typed.leave}
      after={unit ? <span className="ui-input__side">{unit}</span> : null}
    />
  )
}
