import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { Button } from '../../../../ui/Button.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { stopApi } from '../contract.ts'

/** Under a text that may ask for no more texts: one press says what it meant. */
export const StopQuestion = ({ id }: { id: string }) => {
  const client = useQueryClient()
  const settle = useIdempotentMutation({
    mutationFn: (meant: 'stop' | 'fine', key) =>
      call(stopApi.settle, { params: { id }, body: { meant } }, { idempotencyKey: key }),
    onSuccess: ({ stopDoubt }) =>
      void toast.success(stopDoubt === 'stop' ? 'Texts to this number have ended' : 'Texts go on as before'),
    onError: (error) => void toast.error(error),
    onSettled: () =>
      Promise.all(
        ['messages', 'customers', 'notifications'].map((topic) => client.invalidateQueries({ queryKey: [topic] })),
      ),
  })
  const answer = (meant: 'stop' | 'fine', label: string) => (
    <Button
      size="s"
      kind={meant === 'stop' ? 'danger' : 'quiet'}
      loading={settle.isPending && settle.variables === meant}
      disabled={settle.isPending}
      onClick={() => settle.mutate(meant)}
    >
      {label}
    </Button>
  )
  return (
    <fieldset className="bubble__ask">
      <legend>Does this ask for no more texts?</legend>
      <p className="hint">Until you say, no offers leave to this number.</p>
      <div className="bubble__answers">
        {answer('stop', 'Yes, end texts')}
        {answer('fine', 'No, texts go on')}
      </div>
    </fieldset>
  )
}
