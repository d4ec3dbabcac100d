import type { Ref } from 'react'
import { TypedInput, type TypedProps } from './TypedInput.tsx'
import { parseNumber } from './typedValues.ts'
import { useTyped } from './useTyped.ts'

type Extra = {
  unit?: string
  placeholder?: string
  min?: number
  max?: number
  step?: number
  /** Why a number cannot be taken, as a sentence, or null; like one that cannot be read it keeps its form from being sent. */
  refuse?: (value: number) => string | null
  ref?: Ref<HTMLInputElement>
}

/** A number with its unit ("min", "sq ft"). Arrow keys step. Empty is null. Limits are the form's business; `min` and `max` only stop the arrows. */
export const NumberField = ({
  value,
  onChange,
  onBlur,
  unit,
  step = 1,
  min = -Infinity,
  max = Infinity,
  error,
  refuse = () => null,
  ...rest
}: TypedProps<number> & Extra) => {
  const refused = (text: string) => {
    const number = parseNumber(text)
    return number === null ? null : refuse(number)
  }
  const read = (text: string) => (refused(text) === null ? parseNumber(text) : null)
  const typed = useTyped(value, (n) => (n === null || n === undefined ? '' : String(n)), read, onChange, onBlur)
  return (
    <TypedInput
      {...rest}
      right
      inputMode="decimal"
      error={error ?? (typed.unread ? (refused(typed.text) ?? 'Type a number, like 12 or 12.5.') : undefined)}
      text={typed.text}
      unread={typed.unread}
      onText={typed.type}
      onLeave={typed.leave}
      after={unit ? <span className="ui-input__side">{unit}</span> : null}
      onKeyDown={(event) => {
        const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
        if (direction === 0) return
        event.preventDefault()
        typed.set(Math.min(max, Math.max(min, Number(((value ?? 0) + direction * step).toFixed(6)))))
      }}
    />
  )
}
