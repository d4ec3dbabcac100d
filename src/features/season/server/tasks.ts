import { subscriber } from '../../../platform/events/events.ts'
import { stepUndone } from './undone.ts'

/** A step that is taken back among the changes of many jobs is taken back here, too, and so are its letters. */
export const onSeasonStepUndone = subscriber({
  name: 'season.onStepUndone',
  on: 'jobs.editUndone',
  run: (actor, { editId }) => stepUndone(actor, editId),
})
