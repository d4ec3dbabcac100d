import { call } from '../../../../shared/client.ts'
import { type Choice, ComboboxField } from '../../../../ui/ComboboxField.tsx'
import { customersApi } from '../../../customers/contract.ts'

const findPayers = async (text: string, signal: AbortSignal): Promise<Choice[]> => {
  const { items } = await call(customersApi.list, { query: { limit: 20, ...(text ? { q: text } : {}) } }, { signal })
  return items.map(({ id, name, street }) => ({ value: id, label: name, ...(street ? { hint: street } : {}) }))
}

type Props = { value: Choice | null; onChange: (value: Choice | null) => void; isGuess: boolean }

/** Whose money it is that was taken at a visit which nobody can look up any more. */
export const PayerField = ({ value, onChange, isGuess }: Props) => (
  <ComboboxField
    label="Whose money is it?"
    hint={
      isGuess
        ? 'Found by the street that the phone had. Check it.'
        : 'It is booked on what they owe; what is more is their credit.'
    }
    placeholder="Name, street or e-mail"
    search={findPayers}
    emptyText="Nobody found."
    value={value}
    onChange={onChange}
  />
)
