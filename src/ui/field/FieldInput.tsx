import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import './field.css'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  hint?: ReactNode
  lines?: number
}

/** Something to type, big. With `lines` it takes several. */
export const FieldInput = ({ label, value, onChange, error, hint, lines, ...rest }: Props) => {
  const id = useId()
  const shared = {
    id,
    value,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error || hint ? `${id}-more` : undefined,
  } as const
  return (
    <div className="f-input">
      <label htmlFor={id}>{label}</label>
      {lines ? (
        <textarea
          {...shared}
          rows={lines}
          placeholder={rest.placeholder}
          maxLength={rest.maxLength}
          name={rest.name}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input {...rest} {...shared} onChange={(event) => onChange(event.target.value)} />
      )}
      {error || hint ? (
        <span id={`${id}-more`} className={error ? 'f-input__error' : 'f-input__hint'}>
          {error ?? hint}
        </span>
      ) : null}
    </div>
  )
}
