import { type Ref, useId } from 'react'
import { FieldError, type FieldProps } from './FieldFrame.tsx'
import './FieldFrame.css'

type Extra = { ref?: Ref<HTMLInputElement> }
export type ToggleProps = Omit<FieldProps<boolean>, 'optional' | 'hideLabel'> & Extra

export const Toggle = ({
  label,
  value,
  onChange,
  onBlur,
  name,
  error,
  hint,
  disabled,
  id,
  className,
  look,
  ref,
}: ToggleProps & { look: '' | 'switch' }) => {
  const made = useId()
  const controlId = id ?? made
  const describedBy =
    [hint ? `${controlId}-hint` : '', error ? `${controlId}-error` : ''].filter(Boolean).join(' ') || undefined
  return (
    <div className={`ui-field${error ? ' is-wrong' : ''}${className ? ` ${className}` : ''}`}>
      <label className={`ui-check${look ? ` ui-check--${look}` : ''}`}>
        <input
          type="checkbox"
          role={look || undefined}
          id={controlId}
          ref={ref}
          name={name}
          checked={value ?? false}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          onChange={(event) => onChange(event.target.checked)}
          onBlur={onBlur}
        />
        <span>{label}</span>
        {hint ? (
          <span className="ui-field__hint" id={`${controlId}-hint`}>
            {hint}
          </span>
        ) : null}
      </label>
      {error ? <FieldError id={`${controlId}-error`}>{error}</FieldError> : null}
    </div>
  )
}
