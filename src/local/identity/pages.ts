import { escapeHtml } from '../../shared/html.ts'

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,">
<style>
body{margin:0;min-height:100dvh;display:grid;place-items:center;background:#f6f2e8;color:#16211a;font:16px/1.5 "Hanken Grotesk",system-ui,sans-serif}
main{width:min(420px,100% - 32px);margin:24px 0}
.sheet{padding:28px;background:#fff;border:1px solid #e2ddd0;border-top:6px solid #2455b8;border-radius:14px}
h1{margin:0 0 6px;font-size:26px;line-height:1.2}
.note{margin:0 0 20px;color:#4d5a51}
label{display:block;font-weight:600;margin:0 0 6px}
input[type=email],input[type=text]{width:100%;box-sizing:border-box;min-height:44px;margin:0 0 16px;padding:8px 12px;border:1px solid #77857b;border-radius:10px;font:inherit}
.tick{display:flex;gap:10px;align-items:center;font-weight:400;margin:0 0 20px}
.tick input{width:20px;height:20px;margin:0}
button{min-height:46px;padding:10px 18px;border:1px solid #77857b;border-radius:10px;background:#fff;color:inherit;font:600 16px/1.2 inherit;font-family:inherit;cursor:pointer}
button.main{width:100%;margin:0 0 10px;border-color:#14432f;background:#14432f;color:#fff}
button.quiet{width:100%}
:focus-visible{outline:3px solid #2766a8;outline-offset:2px}
.problem{margin:0 0 16px;padding:10px 12px;border-radius:10px;background:#fbe9e4;color:#7a2410}
</style></head><body><main>${body}</main></body></html>`

/** Where anybody can be anybody: says so, and looks like no provider's real page. */
export const pickPage = (form: { path: string; email: string; name: string; problem: string | null }): string =>
  page(
    'Local sign-in',
    `<div class="sheet"><h1>Who do you want to be?</h1>
<p class="note">This stands in for Google on this computer. Nobody is asked and nothing leaves it; with a real provider configured this page does not exist.</p>
${form.problem ? `<p class="problem" role="alert">${escapeHtml(form.problem)}</p>` : ''}
<form method="post" action="${escapeHtml(form.path)}" novalidate>
<label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="off" value="${escapeHtml(form.email)}" autofocus>
<label for="name">Name</label><input id="name" name="name" type="text" autocomplete="off" value="${escapeHtml(form.name)}">
<label class="tick"><input type="checkbox" name="verified" value="yes" checked>The provider has verified this e-mail</label>
<button class="main" name="choice" value="go">Continue</button>
<button class="quiet" name="choice" value="cancel">Cancel</button>
</form></div>`,
  )

export const trouble = (): string =>
  page(
    'Local sign-in',
    `<div class="sheet"><h1>This sign-in is over</h1><p class="note">It took too long, or the page was opened twice. Nothing was changed.</p><p><a href="/signin">Back to the sign-in</a></p></div>`,
  )
