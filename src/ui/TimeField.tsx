import type { Ref } from 'react'
import { formatMinute } from '#src/shared/dates.ts'
import type { FieldProps } from './FieldFrame.tsx'
import { TypedInput } from './TypedInput.tsx'
import { parseMinute } from './typedValues.ts'
import { useTyped } from './useTyped.ts'

/** A time of day as minutes since midnight. Typed freely ("7:15", "230p"); arrow keys move by `step` minutes. */
export const TimeField = ({
  value,
  onChange,
  onBlur,
  error,
  step = 15,
  ...rest
}: FieldProps<number | null> & { step?: number; placeholder?: string; ref?: Ref<HTMLInputElement> }) => {
  const typed = useTyped(
    value,
    (m) => (m === null || m === undefined ? '' : formatMinute(m)),
    parseMinute,
    onChange,
    onBlur,
  )
  return (
    <TypedInput
      placeholder="7:00 AM"
      {...rest}
      error={error ?? (typed.unread ? 'Type a time like 7:15 AM or 2:30 PM.' : undefined)}
      text={typed.text}
      unread={typed.unread}
      onText={typed.type}
      onLeave={typed.leave}
      onKeyDown={(event) => {
        const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
        if (direction === 0) return
        event.preventDefault()
        const from = value ?? 420
        typed.set(
          Math.min(
            1439,
            Math.max(0, direction > 0 ? Math.floor(from / step) * step + step : Math.ceil(from / step) * step - step),
          ),
        )
      }}
    />
  )
}
