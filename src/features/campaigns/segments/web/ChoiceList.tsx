import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconX } from '../../../../ui/icons.ts'
import { SelectField } from '../../../../ui/SelectField.tsx'

type Choice = { value: string; label: string }
type Props = {
  label: string
  /** What is offered; what is chosen stays, also where nobody has it any more. */
  options: readonly Choice[]
  values: readonly string[]
  onChange: (values: string[]) => void
  placeholder: string
}

/** Several of a list, each with a way to take it out again. */
export const ChoiceList = ({ label, options, values, onChange, placeholder }: Props) => (
  <div className="sg-choices">
    {values.length > 0 ? (
      <ul className="sg-chosen" aria-label={label}>
        {values.map((value) => {
          const name = options.find((one) => one.value === value)?.label ?? value
          return (
            <li key={value}>
              {name}
              <IconButton
                label={`Take out ${name}`}
                icon={<IconX />}
                size="s"
                tooltip={false}
                onClick={() => onChange(values.filter((one) => one !== value))}
              />
            </li>
          )
        })}
      </ul>
    ) : null}
    <SelectField
      label={label}
      hideLabel
      value=""
      placeholder={values.length === 0 ? placeholder : 'Or …'}
      options={options.filter(({ value }) => !values.includes(value))}
      onChange={(value) => {
        if (value && !values.includes(value)) onChange([...values, value])
      }}
    />
  </div>
)
