import type { Ref } from 'react'
import { FieldFrame, type FieldProps, useFieldIds } from './FieldFrame.tsx'

type Extra = { placeholder?: string; rows?: number; maxLength?: number; ref?: Ref<HTMLTextAreaElement> }

/** Several lines; grows with what is typed. With `maxLength` it counts near the end. */
export const TextAreaField = ({
  value,
  onChange,
  onBlur,
  name,
  disabled,
  autoFocus,
  placeholder,
  rows = 3,
  maxLength,
  ref,
  ...frame
}: FieldProps<string> & Extra) => {
  const left = maxLength === undefined ? Infinity : maxLength - (value ?? '').length
  const hint = left < 60 ? `${left} characters left` : frame.hint
  const { controlId, aria } = useFieldIds({ ...frame, hint })
  return (
    <FieldFrame {...frame} hint={hint} controlId={controlId}>
      <span className="ui-input">
        <textarea
          {...aria}
          id={controlId}
          ref={ref}
          name={name}
          value={value ?? ''}
          rows={rows}
          maxLength={maxLength}
          placeholder={placeholder}
          disabled={disabled}
          // biome-ignore lint/a11y/noAutofocus: only where the caller opened this for typing
          autoFocus={autoFocus}
          // a dialog puts the focus where this stands
          data-autofocus={autoFocus || undefined}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
      </span>
    </FieldFrame>
  )
}
