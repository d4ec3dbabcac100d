import { type ReactNode, useId } from 'react'
import { FieldError, type FieldProps } from './FieldFrame.tsx'
import './FieldFrame.css'
import './RadioField.css'

type Choice<V extends string> = { value: V; label: ReactNode; hint?: ReactNode }
type Props<V extends string> = Omit<FieldProps<V>, 'value'> & {
  value: V | '' | null
  options: readonly Choice<V>[]
  row?: boolean
  ref?: unknown
}

/** One of two to five things worth reading side by side. */
export const RadioField = <V extends string>({
  label,
  value,
  onChange,
  onBlur,
  name,
  error,
  hint,
  options,
  row,
  disabled,
  hideLabel,
  autoFocus,
  className,
}: Props<V>) => {
  const id = useId()
  return (
    <fieldset
      className={`ui-field ui-radios${className ? ` ${className}` : ''}`}
      aria-describedby={error ? `${id}-error` : undefined}
      disabled={disabled}
    >
      <legend className={hideLabel ? 'ui-hidden' : 'ui-field__label'}>{label}</legend>
      {hint ? <span className="ui-field__hint">{hint}</span> : null}
      <div className={row ? 'ui-radios__row' : 'ui-radios__list'}>
        {options.map((option, at) => (
          <label key={option.value} className="ui-check ui-check--radio">
            <input
              type="radio"
              name={name ?? id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              onBlur={onBlur}
              // of a group the chosen one is reached by the keyboard, else the first
              data-autofocus={
                (autoFocus && (options.some((one) => one.value === value) ? option.value === value : at === 0)) ||
                undefined
              }
            />
            <span>{option.label}</span>
            {option.hint ? <span className="ui-field__hint">{option.hint}</span> : null}
          </label>
        ))}
      </div>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
    </fieldset>
  )
}
