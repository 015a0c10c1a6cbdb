import { Argument, Command } from "commander";
import { type CommandIo, printLine } from "./command-io.js";
import { completeCommandName } from "./completion/complete-command.js";

const examples = `
Examples:
  $ source <(vademecum completion bash)                  # in ~/.bashrc
  $ source <(vademecum completion zsh)                   # in ~/.zshrc, after compinit
  $ vademecum completion fish > ~/.config/fish/completions/vademecum.fish

Completes commands, options, their values, files and the names of contexts. The script asks the
command \`vademecum\` of your PATH at each use, so it fits every later version.`;

/** A script for each shell. No script evaluates a word of the command line. */
const scripts = {
  bash: `# Completes vademecum in bash.
_vademecum() {
  local line files=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done < <(vademecum ${completeCommandName} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # Without candidates, bash completes files. Old versions have no compopt.
  [[ -n $files ]] || compopt +o default +o bashdefault 2>/dev/null
}
complete -o bashdefault -o default -F _vademecum vademecum`,
  zsh: `#compdef vademecum
_vademecum() {
  local line files
  local -a candidates
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=1
    else
      candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <(vademecum ${completeCommandName} "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#candidates )) && _describe -t values value candidates
  [[ -n $files ]] && _files
}
if [[ $funcstack[1] == _vademecum ]]; then _vademecum "$@"; else compdef _vademecum vademecum; fi`,
  fish: `# Completes vademecum in fish.
function __vademecum_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (vademecum ${completeCommandName} $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$current"
        else
            printf '%s\\n' "$line"
        end
    end
end
complete -c vademecum -f -a '(__vademecum_complete)'`,
} as const;

/** Creates the command `completion`, which prints the script that completes commands in a shell. */
export function completionCommand(io: CommandIo): Command {
  return new Command("completion")
    .description("Print a script that completes commands in a shell.")
    .addArgument(new Argument("<shell>", "The shell.").choices(Object.keys(scripts)))
    .addHelpText("after", examples)
    .action((shell: keyof typeof scripts) => printLine(io.stdout, scripts[shell]));
}
