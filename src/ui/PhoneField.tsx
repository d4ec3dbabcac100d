import type { Ref } from 'react'
import { formatPhone, readPhone } from '#src/shared/phone.ts'
import type { FieldProps } from './FieldFrame.tsx'
import { TypedInput } from './TypedInput.tsx'
import { useTyped } from './useTyped.ts'

/** A phone number: typed any way, E.164 out ("+19125550123"), null when empty. Foreign numbers with a leading + pass as they are. */
export const PhoneField = ({
  value,
  onChange,
  onBlur,
  error,
  unread = 'This is not a US phone number. Check the digits.',
  ...rest
}: FieldProps<string | null> & {
  placeholder?: string /** What is said of digits that are no number. */
  unread?: string
  ref?: Ref<HTMLInputElement>
}) => {
  const typed = useTyped<string>(value || null, (v) => (v ? formatPhone(v) : ''), readPhone, onChange, onBlur)
  return (
    <TypedInput
      placeholder="(912) 555-0123"
      autoComplete="tel"
      {...rest}
      type="tel"
      inputMode="tel"
      error={error ?? (typed.unread && (typed.left || typed.text.replace(/\D/g, '').length > 10) ? unread : undefined)}
      text={typed.text}
      unread={typed.unread}
      onText={typed.type}
      onLeave={typed.leave}
    />
  )
}
